"""Three System Builds, packed from the running project itself: a good one, a newer good one, a newer unhealthy one.

The good one *is* the running Admin: the same tag, the same build id, the same program tree. The newer ones are the
same sources under the next minor versions; the last one carries an EMS whose control loop never starts, so that its
health check fails for a real reason. Packed builds are kept and used again while the sources stay the same.
Source: `site.md` 10 (demo), 11.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from ems_admin.builds.catalogue import CATALOGUE, CATALOGUE_LIMIT, Catalogue, newest_first, read_catalogue
from ems_admin.builds.identity import BUILD, PACKAGE, build_identity, package_files
from ems_admin.builds.packing import PackedFile, replace_file
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.codec import encode
from ems_admin.demo.archives import DemoBuild, pack_build
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.values.tags import version
from ems_admin.machines.values.trees import tree_digest

SOURCES_KEY = "packed-from.txt"
"""Beside the catalogue: the digest of what its builds were packed from."""


async def pack_demo_builds(into: Path, own: OwnIdentity) -> Path:
    """Pack the three builds into the folder `into`, unless they lie there already, and give it back as a catalogue.

    Raises `BuildRefusedError` when the sources cannot be packed, `OSError` when the folder cannot be written.
    """
    await asyncio.to_thread(pack_unless_kept, into, own)
    return into


def pack_unless_kept(into: Path, own: OwnIdentity) -> None:
    """Do the same, blocking. The key is written last: packing that was cut is done again."""
    admin = tuple(package_files(PACKAGE))
    key = sources_key(admin, own)
    if is_kept(into, key):
        return
    into.mkdir(parents=True, exist_ok=True)
    (into / SOURCES_KEY).unlink(missing_ok=True)
    entries = newest_first(pack_build(build, into) for build in three_builds(own, admin, key))
    replace_file(into / CATALOGUE, encode(Catalogue(format_version=1, builds=entries), limit=CATALOGUE_LIMIT))
    for stale in {*into.glob("system-build-*.tar.gz")} - {into / entry.archive.path for entry in entries}:
        stale.unlink()
    replace_file(into / SOURCES_KEY, f"{key}\n".encode())


def sources_key(admin: tuple[PackedFile, ...], own: OwnIdentity) -> str:
    """Name everything that the packed bytes depend on."""
    identity = (own.system_tag, own.build_id, own.revision, own.built_at.isoformat(), own.requires)
    tree = tree_digest(file.hashed for file in admin)
    return hashlib.sha256("\n".join((*identity, tree)).encode()).hexdigest()


def is_kept(into: Path, key: str) -> bool:
    """Say whether the folder holds just these builds. Their bytes are verified when they are imported, not here."""
    try:
        if (into / SOURCES_KEY).read_text(encoding="utf-8").strip() != key:
            return False
        archives = [build.archive for build in read_catalogue((into / CATALOGUE).read_bytes()).builds]
        return all((into / archive.path).stat().st_size == archive.bytes for archive in archives)
    except (OSError, ValueError, BuildRefusedError):
        return False


def three_builds(own: OwnIdentity, admin: tuple[PackedFile, ...], key: str) -> Iterator[DemoBuild]:
    """Give the three, the oldest first."""
    yield DemoBuild(identity=own, admin=admin, notes="The build that this Admin belongs to.")
    newer, newest = (successor(own, tag, key) for tag in next_minors(own.system_tag))
    yield DemoBuild(
        identity=newer,
        admin=tuple(renamed(admin, newer)),
        notes="A newer build that works.",
    )
    yield DemoBuild(
        identity=newest,
        admin=tuple(renamed(admin, newest)),
        notes="A newer build whose EMS starts and is not well: its control loop never runs.",
        defect="control_loop",
    )


def next_minors(tag: str) -> tuple[str, str]:
    """Give the two minor versions after `tag`; a tag that is no version begins at zero."""
    found = version(tag)
    major, minor, _ = found.precedence[0] if found else (0, 0, 0)
    return f"v{major}.{minor + 1}.0", f"v{major}.{minor + 2}.0"


def successor(own: OwnIdentity, tag: str, key: str) -> OwnIdentity:
    """Give the identity of a later build of the same sources; other sources never share it."""
    name = hashlib.sha256(f"{tag} {key}".encode()).hexdigest()
    return evolve(own, system_tag=tag, build_id=f"{tag.removeprefix('v')}-{name[:12]}", revision=name[:40], digest=None)


def renamed(admin: tuple[PackedFile, ...], identity: OwnIdentity) -> Iterator[PackedFile]:
    """Give the files of an Admin that says it is another build."""
    place = f"{PACKAGE.name}/{BUILD}"
    yield from (file for file in admin if file.path != place)
    yield PackedFile(path=place, data=encode(build_identity(identity)))
