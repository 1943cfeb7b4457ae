"""Which build this very Admin is: `system-build.json` of its program tree, else `build.json` of the package.

The digest is that of the program tree the running package is, or would be packed as: an Admin that runs from a
checkout equals the one that was packed from it. Source: `site.md` 8, own identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from attrs import field, frozen

from ems_admin.builds.contents import RESOURCE_LIMIT, Gathering, walk
from ems_admin.builds.packing import PackedFile, is_packed, packed_file
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.builds.verification import MANIFEST, read_manifest
from ems_admin.codec import DecodeError, decode
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.values.trees import tree_digest

PACKAGE = Path(__file__).resolve().parent.parent
BUILD = "build.json"
CONSOLE = "http/console"
BUILT_CONSOLE = f"{CONSOLE}/dist"
DIAGRAMS = "diagrams"
TREES_ABOVE = 3
"""How far above the package its manifest may lie: `<build>/programs/admin/ems_admin`."""


@frozen(kw_only=True)
class BuildIdentity:
    """`ems_admin/build.json`, written by the package build and by make."""

    format_version: int = field(metadata={"format": 1})
    system_tag: str
    build_id: str
    revision: str
    built_at: datetime
    requires: str


def own_identity(package: Path = PACKAGE) -> OwnIdentity | None:
    """Say which build the Admin in `package` is; `None` when that cannot be read. Blocking; worth asking once."""
    try:
        digest = tree_digest(file.hashed for file in package_files(package))
        return from_manifest(package, digest) or from_build_file(package, digest)
    except (OSError, BuildRefusedError, DecodeError):
        return None


def from_manifest(package: Path, digest: str) -> OwnIdentity | None:
    """Read the identity of a program tree from the manifest it was unpacked with; `None` when there is none."""
    for above in list(package.parents)[:TREES_ABOVE]:
        place = above / MANIFEST
        if not place.is_file():
            continue
        manifest = read_manifest(place.read_bytes())
        return OwnIdentity(
            system_tag=manifest.system_tag,
            build_id=manifest.build_id,
            revision=manifest.revision,
            built_at=manifest.built_at,
            digest=digest,
            requires=manifest.requires,
        )
    return None


def from_build_file(package: Path, digest: str) -> OwnIdentity:
    """Read the identity that was written beside the code."""
    data = (package / BUILD).read_bytes()
    build: BuildIdentity = decode(data, BuildIdentity, limit=RESOURCE_LIMIT)
    return OwnIdentity(
        system_tag=build.system_tag,
        build_id=build.build_id,
        revision=build.revision,
        built_at=build.built_at,
        digest=digest,
        requires=build.requires,
    )


def build_identity(own: OwnIdentity) -> BuildIdentity:
    """Give what `build.json` of such an Admin says."""
    return BuildIdentity(
        format_version=1,
        system_tag=own.system_tag,
        build_id=own.build_id,
        revision=own.revision,
        built_at=own.built_at,
        requires=own.requires,
    )


def package_files(package: Path = PACKAGE) -> Iterator[PackedFile]:
    """Give the files of the Admin's program tree: the package as it is installed, wherever it runs from.

    A checkout keeps the sources of the console inside the package and the diagrams outside of it.
    """
    gathering = Gathering()
    for path, place in walk(package, enter=holds_program):
        if ships(path):
            yield packed_file(place, f"{package.name}/{path}", gathering)
    diagrams = package.parent.parent / DIAGRAMS
    if package.parent.name == "src" and not (package / DIAGRAMS).exists() and diagrams.is_dir():
        for path, place in walk(diagrams):
            yield packed_file(place, f"{package.name}/{DIAGRAMS}/{path}", gathering)


def holds_program(folder: str) -> bool:
    """Say whether a folder of the package belongs to the program: of the console only what was built."""
    parent, _, _ = folder.rpartition("/")
    return is_packed(folder) and (parent != CONSOLE or folder == BUILT_CONSOLE)


def ships(path: str) -> bool:
    """Say whether a file of such a folder does: what lies beside the sources of the console only when it is Python."""
    parent, _, _ = path.rpartition("/")
    return parent != CONSOLE or path.endswith(".py")
