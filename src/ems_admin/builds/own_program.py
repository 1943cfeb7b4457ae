"""The running Admin's own program, kept among the programs of the site, so that there is always one to go back to.

An Admin that was installed from a package or runs from a checkout may be gone after the next update of either. Its
tree here is written aside, checked, flushed and only then renamed: it is there whole, or not at all.
Source: `replacement.md` 7.8.
"""

from __future__ import annotations

import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from ems_admin.builds.cache import ReleaseCache, sync_below, write_file
from ems_admin.builds.contents import read_folder
from ems_admin.builds.identity import PACKAGE, package_files
from ems_admin.builds.packing import replace_file, sync_directory
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.builds.rules import CACHED_MANIFEST
from ems_admin.builds.verification import MANIFEST, read_manifest
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.values.trees import tree_digest

ADMIN = "admin"
DIRECTORY = f"programs/{ADMIN}"
"""Where the program lies in its build."""
STAGING = ".staging-"


def keep_own_program(programs: Path, releases: Path, own: OwnIdentity, package: Path = PACKAGE) -> None:
    """See that the program in `package` lies below `programs`. Blocking. Raises `OSError`, `BuildRefusedError`."""
    if is_kept_program(programs, package) or own.digest is None:
        return
    build = programs / own.build_id
    target = build / DIRECTORY
    if not _is_whole(target, own.digest):
        _write(target, own.digest, package)
    document = _manifest_bytes(releases, own)
    if document is not None:
        replace_file(build / MANIFEST, document)
    elif not _names(build / MANIFEST, own.digest):
        (build / MANIFEST).unlink(missing_ok=True)  # of what lay here before; the program itself says who it is


def is_kept_program(programs: Path, package: Path = PACKAGE) -> bool:
    """Say whether `package` runs from the programs of this site."""
    return package.resolve().is_relative_to(programs.resolve())


def _is_whole(target: Path, digest: str) -> bool:
    try:
        return tree_digest(read_folder(target).files.values()) == digest
    except (OSError, BuildRefusedError):
        return False


def _write(target: Path, digest: str, package: Path) -> None:
    staging = target.with_name(f"{STAGING}{secrets.token_hex(4)}")
    staging.mkdir(parents=True)
    try:
        for file in package_files(package):
            write_file(staging / file.path, file.data, executable=file.executable)
        if not _is_whole(staging, digest):
            raise OSError("the program changes while it is read")
        sync_below(staging)
        if target.exists():
            target.rename(target.with_name(f"{STAGING}{secrets.token_hex(4)}"))
        staging.rename(target)
        for folder in list(target.parents)[:3]:
            sync_directory(folder)
    finally:
        for leftover in target.parent.glob(f"{STAGING}*"):
            shutil.rmtree(leftover, ignore_errors=True)


def _manifest_bytes(releases: Path, own: OwnIdentity) -> bytes | None:
    """Give the manifest of the imported build that this Admin belongs to, if it was imported whole."""
    cached = ReleaseCache(releases)
    with suppress(OSError, BuildRefusedError):
        place = cached.folder(own.system_tag) / CACHED_MANIFEST
        if _names(place, own.digest):
            return place.read_bytes()
    return None


def _names(place: Path, digest: str | None) -> bool:
    """Say whether a manifest names this very program."""
    try:
        program = read_manifest(place.read_bytes()).programs.get(ADMIN)
    except (OSError, BuildRefusedError):
        return False
    return program is not None and (program.directory, program.sha256) == (DIRECTORY, digest)
