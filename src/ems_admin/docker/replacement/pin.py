"""The one line of `.env.admin` that names the Admin's image for the next `docker compose up`.

The file belongs to people: all that they wrote stays, byte by byte, and so do its owner and its mode.
Source: `site.md` 8 (Admin's compose file); `replacement.md` 7.2, 7.4 (U11, Rollback).
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ems_admin.docker.place import DockerPlace
from ems_admin.engines.disk import disk_failure
from ems_admin.workflows.ports.engine import Done, EngineFailure

VARIABLE: Final = "EMS_ADMIN_IMAGE"
MODE: Final = 0o644
"""Of a file that was not there."""
_LINE: Final = re.compile(rb"^([ \t]*(?:export[ \t]+)?" + VARIABLE.encode() + rb"[ \t]*=)[^\r\n]*", re.MULTILINE)


async def is_writable(place: DockerPlace) -> Done | EngineFailure:
    """Say whether the line could be rewritten, by making the file that would take the place of this one."""
    return await asyncio.to_thread(_probe, _file(place))


async def read(place: DockerPlace) -> bytes | None:
    """Give the bytes of the file; `None` when there is none. Raises `OSError`."""
    return await asyncio.to_thread(_read, _file(place))


async def name(place: DockerPlace, reference: str) -> Done | EngineFailure:
    """Let the line name this image."""
    return await asyncio.to_thread(_name, _file(place), reference)


async def restore(place: DockerPlace, before: bytes | None) -> Done | EngineFailure:
    """Let the file be what it was, or not be there."""
    return await asyncio.to_thread(_restore, _file(place), before)


def rewritten(text: bytes, reference: str) -> bytes:
    """Rewrite the line, or append it to a file without one. Where it stands twice, the last would win: both are."""
    value = reference.encode()
    changed, found = _LINE.subn(lambda line: line.group(1) + value, text)
    if found:
        return changed
    gap = b"" if not text or text.endswith(b"\n") else b"\n"
    return text + gap + VARIABLE.encode() + b"=" + value + b"\n"


def _file(place: DockerPlace) -> Path:
    """Give the file itself, where the site has a link to it: what is replaced is never the link."""
    return Path(os.path.realpath(place.admin_pin))


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _probe(path: Path) -> Done | EngineFailure:
    try:
        _read(path)
        with _aside(path):
            return Done()
    except OSError as error:
        return disk_failure(error)


def _name(path: Path, reference: str) -> Done | EngineFailure:
    try:
        before = _read(path)
        return _write(path, before, rewritten(before or b"", reference))
    except OSError as error:
        return disk_failure(error)


def _restore(path: Path, wanted: bytes | None) -> Done | EngineFailure:
    try:
        if wanted is not None:
            return _write(path, _read(path), wanted)
        path.unlink(missing_ok=True)
        _flush_folder(path.parent)
    except OSError as error:
        return disk_failure(error)
    return Done()


def _write(path: Path, before: bytes | None, after: bytes) -> Done:
    """Replace the file as a whole, unless it says so already. Raises `OSError`."""
    if before != after:
        with _aside(path) as aside:
            with aside.open("wb") as file:
                file.write(after)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        _flush_folder(path.parent)
    return Done()


@contextmanager
def _aside(path: Path) -> Iterator[Path]:
    """Make a file beside it with the same owner and mode; what is not moved away is removed. Raises `OSError`."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with aside.open("xb") as file:
            _liken(file.fileno(), path)
        yield aside
    finally:
        aside.unlink(missing_ok=True)


def _liken(handle: int, path: Path) -> None:
    try:
        like = path.stat()
    except FileNotFoundError:
        os.fchmod(handle, MODE)
        return
    made = os.fstat(handle)
    if (made.st_uid, made.st_gid) != (like.st_uid, like.st_gid):
        os.fchown(handle, like.st_uid, like.st_gid)
    os.fchmod(handle, like.st_mode & 0o7777)


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
