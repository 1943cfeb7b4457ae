"""Pack a System Build: the same files always give the same bytes.

A maintainer's folder holds `system-build.json` without hashes and the files it names. Packing takes exactly those,
computes the hashes, and reads the finished archive back before it gets its name.
Source: `site.md` 6, Archive.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from attrs import field, frozen

from ems_admin.builds.contents import RESOURCE_LIMIT, Gathering, read_archive, read_file, walk
from ems_admin.builds.refused import invalid
from ems_admin.builds.verification import EXAMPLE, MANIFEST, read_document, tree, verified
from ems_admin.codec import encode
from ems_admin.machines.records.build import ArchiveRef, Channel, ImagePin, Manifest, Program
from ems_admin.machines.records.transition import CompatibilityMode
from ems_admin.machines.values.trees import TreeFile, tree_digest

LEVEL = 6
NOT_PACKED = frozenset({"__pycache__"})


@frozen(kw_only=True)
class UnhashedProgram:
    """A program of a build that is still to be packed."""

    directory: str
    command: tuple[str, ...]


@frozen(kw_only=True)
class Recipe:
    """`system-build.json` as a maintainer writes it: the manifest without hashes."""

    format_version: int = field(metadata={"format": 1})
    system_tag: str
    channel: Channel
    revision: str
    build_id: str
    built_at: datetime
    admin: ImagePin
    ems: ImagePin
    compatibility_mode: CompatibilityMode
    requires: str
    stack: str
    config_template: str
    config_schema: str
    programs: dict[str, UnhashedProgram]


@frozen(kw_only=True)
class PackedFile:
    """A file on its way into an archive."""

    path: str
    data: bytes
    executable: bool = False

    @property
    def hashed(self) -> TreeFile:
        """The same file as trees and manifests name it."""
        return TreeFile(path=self.path, sha256=hashlib.sha256(self.data).hexdigest(), executable=self.executable)


def read_recipe(directory: Path) -> Recipe:
    """Read `system-build.json` of a maintainer's folder."""
    data, _ = read_file(directory / MANIFEST, MANIFEST, Gathering())
    return read_document(data, Recipe, MANIFEST)


def named_files(directory: Path, recipe: Recipe) -> Iterator[PackedFile]:
    """Give the files that a recipe names, below its folder."""
    gathering = Gathering()
    example = (EXAMPLE,) if os.path.lexists(directory / EXAMPLE) else ()
    for path in sorted({recipe.stack, recipe.config_template, recipe.config_schema, *example}):
        yield packed_file(directory / path, path, gathering)
    for directory_name in sorted({program.directory for program in recipe.programs.values()}):
        yield from tree_files(directory / directory_name, f"{directory_name}/", gathering)


def tree_files(root: Path, below: str, gathering: Gathering) -> Iterator[PackedFile]:
    """Give the files of a program tree but the compiled ones, which each host makes for itself."""
    if not root.is_dir():
        raise invalid(f"{below} is missing")
    for path, place in walk(root, enter=is_packed):
        yield packed_file(place, f"{below}{path}", gathering)


def is_packed(folder: str) -> bool:
    """Say whether a folder of a tree is packed."""
    return folder.rpartition("/")[2] not in NOT_PACKED


def packed_file(place: Path, path: str, gathering: Gathering) -> PackedFile:
    """Read one file for packing."""
    data, executable = read_file(place, path, gathering)
    return PackedFile(path=path, data=data, executable=executable)


def finished(recipe: Recipe, files: Iterable[PackedFile]) -> Manifest:
    """Complete a recipe with the hashes of its files and programs."""
    seen: Mapping[str, TreeFile] = {file.path: file.hashed for file in files}
    return Manifest(
        format_version=recipe.format_version,
        system_tag=recipe.system_tag,
        channel=recipe.channel,
        revision=recipe.revision,
        build_id=recipe.build_id,
        built_at=recipe.built_at,
        admin=recipe.admin,
        ems=recipe.ems,
        compatibility_mode=recipe.compatibility_mode,
        requires=recipe.requires,
        stack=recipe.stack,
        config_template=recipe.config_template,
        config_schema=recipe.config_schema,
        programs={
            name: Program(
                directory=program.directory,
                command=program.command,
                sha256=tree_digest(tree(seen, program.directory)),
            )
            for name, program in sorted(recipe.programs.items())
        },
        files={path: seen[path].sha256 for path in sorted(seen)},
    )


def archive_bytes(manifest: Manifest, files: Iterable[PackedFile]) -> bytes:
    """Write the archive: the manifest, then the files by path, all of one time and one owner."""
    written = io.BytesIO()
    moment = int(manifest.built_at.timestamp())
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=written, compresslevel=LEVEL, mtime=0) as plain,
        tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        head = PackedFile(path=MANIFEST, data=encode(manifest, limit=RESOURCE_LIMIT))
        for file in (head, *sorted(files, key=lambda file: file.path)):
            member = tarfile.TarInfo(file.path)
            member.size = len(file.data)
            member.mode = 0o755 if file.executable else 0o644
            member.mtime = moment
            tar.addfile(member, io.BytesIO(file.data))
    return written.getvalue()


def pack_files(recipe: Recipe, files: Iterable[PackedFile], out: Path) -> tuple[Manifest, ArchiveRef]:
    """Pack `files` into `out`, which appears whole and verified or not at all."""
    held = tuple(files)
    manifest = finished(recipe, held)
    packed = archive_bytes(manifest, held)
    contents, sha256, size = read_archive(io.BytesIO(packed))
    verified(contents)
    replace_file(out, packed)
    return manifest, ArchiveRef(path=out.name, sha256=sha256, bytes=size)


def pack(directory: Path, out: Path) -> tuple[Manifest, ArchiveRef]:
    """Pack a maintainer's folder into `out`. Raises `BuildRefusedError`, naming the file that is at fault."""
    recipe = read_recipe(directory)
    return pack_files(recipe, named_files(directory, recipe), out)


def replace_file(target: Path, data: bytes) -> None:
    """Give `target` these bytes at once, durably; the old ones stay exact when it fails."""
    temporary = target.with_name(f".{target.name}.{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    sync_directory(target.parent)


def sync_directory(directory: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
