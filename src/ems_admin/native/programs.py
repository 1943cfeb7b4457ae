"""Program trees: brought from the release cache to where they are run, and known by their digest.

A tree is hashed again before every start. So nothing here needs to be flushed: a tree torn by a power cut does not
verify, and the next fetch brings it anew. (The Admin's own program is flushed by whoever brings it: nobody is left to
bring that one anew.)

Source: `site.md` 6, 8 (digests natively); `faults.md` F20, F21.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from ems_admin.engines.disk import disk_failure
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest, Program, Service
from ems_admin.machines.values.trees import TreeFile, tree_digest
from ems_admin.native.place import Place, is_plain
from ems_admin.workflows.ports.engine import Deployment, Done, EngineFailure

BUILD_ID: Final = re.compile(r"[0-9a-z][0-9a-z.-]{0,63}")
STAGING: Final = ".staging-"
NOT_THERE: Final = frozenset({Code.IMAGE_UNAVAILABLE, Code.IMAGE_DIGEST_MISMATCH})
"""How a tree is told that was looked for and is not the one, or not there."""


class UnsafeTreeError(Exception):
    """A tree holds a link or a special file: it is no program of ours."""


@frozen(kw_only=True)
class NamedProgram:
    """A program of a build, and what it is the program of."""

    name: str
    program: Program


@frozen(kw_only=True)
class ServiceProgram(NamedProgram):
    """A service together with the program that it runs from."""

    service: Service


def programs_of(deployment: Deployment) -> tuple[ServiceProgram, ...] | EngineFailure:
    """Name the program of every service of a stack, or the first service that cannot run natively."""
    found = []
    for service in deployment.stack.services:
        program = deployment.manifest.programs.get(service.program) if service.program else None
        if program is None:
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=service.name)
        if not is_plain(program.directory) or not is_plain(service.name) or "/" in service.name:
            return EngineFailure(code=Code.SYSTEM_BUILD_RESOURCES_INVALID, detail=service.name)
        found.append(ServiceProgram(name=service.name, service=service, program=program))
    if not BUILD_ID.fullmatch(deployment.manifest.build_id):
        return EngineFailure(code=Code.SYSTEM_BUILD_RESOURCES_INVALID)
    return tuple(found)


def bring(place: Place, manifest: Manifest, wanted: NamedProgram) -> Done | EngineFailure:
    """Copy one tree to where it is run and verify the copy; one that is there and verifies is left as it is.

    A damaged tree is set aside and replaced: what runs from it keeps the files that it has open.
    """
    if isinstance(verify(place, manifest.build_id, wanted), Done):
        return Done()
    source = place.packed(manifest.system_tag, wanted.program.directory)
    target = place.program(manifest.build_id, wanted.program.directory)
    try:
        _sweep(target.parent)
        return _copy(source, target, wanted)
    except UnsafeTreeError:
        return EngineFailure(code=Code.SYSTEM_BUILD_RESOURCES_INVALID, detail=wanted.name)
    except shutil.Error as error:  # copytree gathers what went wrong, and forgets the number
        return _first_of(error)
    except OSError as error:
        return disk_failure(error)
    finally:
        _sweep(target.parent)


def _copy(source: Path, target: Path, wanted: NamedProgram) -> Done | EngineFailure:
    staging = target.with_name(f"{STAGING}{secrets.token_hex(4)}")
    if not source.is_dir():
        return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=wanted.name)
    shutil.copytree(source, staging, symlinks=True)
    if digest(staging) != wanted.program.sha256:
        return EngineFailure(code=Code.SYSTEM_BUILD_MISMATCH, detail=wanted.name)
    if target.exists():
        target.rename(target.with_name(f"{STAGING}{secrets.token_hex(4)}"))
    staging.rename(target)
    return Done()


def verify(place: Place, build_id: str, wanted: NamedProgram) -> Done | EngineFailure:
    """Hash a tree where it is run: absent is `image_unavailable`, different `image_digest_mismatch`."""
    root = place.program(build_id, wanted.program.directory)
    return verify_tree(root, wanted.program.sha256, wanted.name)


def verify_tree(root: Path, sha256: str, name: str) -> Done | EngineFailure:
    """Hash a tree that belongs to a service: absent is `image_unavailable`, different `image_digest_mismatch`."""
    try:
        if not root.is_dir():
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=name)
        same = digest(root) == sha256
    except UnsafeTreeError:
        same = False
    except OSError as error:
        return disk_failure(error)
    return Done() if same else EngineFailure(code=Code.IMAGE_DIGEST_MISMATCH, detail=name)


def digest(root: Path) -> str:
    """Give the digest of a tree as it lies on disk. Raises `UnsafeTreeError`, `OSError`."""
    return tree_digest(_files(root, root))


def _files(root: Path, directory: Path) -> Iterator[TreeFile]:
    with os.scandir(directory) as listed:
        entries = list(listed)
    for entry in entries:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            yield from _files(root, path)
        elif entry.is_file(follow_symlinks=False):
            with path.open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            executable = bool(entry.stat(follow_symlinks=False).st_mode & 0o100)
            yield TreeFile(path=path.relative_to(root).as_posix(), sha256=sha256, executable=executable)
        else:
            raise UnsafeTreeError(entry.name)


def _sweep(directory: Path) -> None:
    """Remove what a cut or failed copy has left. One Admin owns a site, so nobody else is copying."""
    for leftover in directory.glob(f"{STAGING}*"):
        shutil.rmtree(leftover, ignore_errors=True)


def _first_of(error: shutil.Error) -> EngineFailure:
    text = str(error.args[0])
    number = re.search(r"\[Errno (\d+)\]", text)
    return disk_failure(OSError(int(number.group(1)) if number else 0, text))
