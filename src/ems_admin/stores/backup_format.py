"""The file of a backup set, byte by byte.

    ems-admin-backup 1
    <SHA-256 of everything below, in hex>
    <the manifest: JSON, without an empty line>
    <an empty line>
    <the files one behind the other; in a locked set all of it sealed, the list of the files first>

Nothing is compressed: a set is as large as its file, and no file unfolds into more than was read.
Source: `site.md` 9; `faults.md` State files, F06.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import (
    BACKUP_FORMAT,
    RESTORED,
    BackedUpFile,
    BackupContents,
    BackupFacts,
    BackupManifest,
    BackupPart,
)
from ems_admin.machines.records.reading import ReadFault
from ems_admin.stores.backup_locks import (
    BrokenSealError,
    Cost,
    LockError,
    WrongPasswordError,
    bounded,
    key_of,
    new_key,
)
from ems_admin.stores.records import sha256
from ems_admin.workflows.ports.backups import BackupFailure, BackupSet, Gathered, KeptFile, OpenedSet

NAME: Final = b"ems-admin-backup "
HEAD: Final = NAME + b"%d\n" % BACKUP_FORMAT
SUM: Final = 65
"""Bytes of the second line."""
BREAK: Final = b"\n\n"
ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,95}", re.ASCII)
"""What a set may be called: the name of its file, which leads nowhere else."""
SET_LIMIT: Final = 4 << 20
"""The most bytes of a set: twice what a config and its credentials may have, and room for the records."""


class DamagedError(Exception):
    """Bytes that are no whole set."""

    def __init__(self, fault: ReadFault, detail: str | None = None) -> None:
        """Carry the fault."""
        super().__init__(str(fault))
        self.fault = fault
        self.detail = detail


@frozen(kw_only=True)
class ReadSet:
    """A set whose bytes are whole, and what it takes to open it."""

    backup: BackupSet
    manifest: BackupManifest
    head: bytes
    """The manifest as it is spelled, for it is part of what was sealed."""
    body: bytes


def pack(facts: BackupFacts, gathered: Gathered, *, password: str | None, cost: Cost) -> bytes:
    """Make the bytes of a set. With a password it takes as long as trying one."""
    files = tuple(_listed(file) for file in gathered.files)
    contents = BackupContents(files=files, left_out=gathered.left_out)
    plain = b"".join(file.data for file in gathered.files)
    manifest = BackupManifest(format_version=BACKUP_FORMAT, facts=facts, lock=None, contents=contents)
    if password is None:
        return _whole(codec.encode(manifest), plain)
    key = new_key(password, cost)
    head = codec.encode(evolve(manifest, lock=key.lock, contents=None))
    return _whole(head, key.seal(codec.encode(contents) + b"\n" + plain, head))


def read_set(data: bytes) -> ReadSet:
    """Read what everybody may know of a set, its bytes proven whole. Raises `DamagedError`."""
    head, broken, body = _summed(data).partition(BREAK)
    head += broken[:1]
    try:
        manifest = codec.decode(head, BackupManifest)
    except codec.DecodeError as error:
        raise DamagedError(error.fault, error.detail) from None
    if not ID.fullmatch(manifest.facts.id):
        raise DamagedError(ReadFault.WRONG_SHAPE, "id")
    if (manifest.lock is None) is (manifest.contents is None):
        raise DamagedError(ReadFault.TAMPERED)
    if manifest.lock is not None:
        try:
            bounded(manifest.lock)
        except LockError as error:
            raise DamagedError(ReadFault.WRONG_SHAPE, "lock") from error
    if manifest.contents is not None:
        tuple(_files(manifest.contents, body))
    backup = BackupSet(
        facts=manifest.facts,
        locked=manifest.lock is not None,
        contents=manifest.contents,
        bytes=len(data),
        sha256=sha256(data),
    )
    return ReadSet(backup=backup, manifest=manifest, head=head, body=body)


def _summed(data: bytes) -> bytes:
    """Give what lies below the sum, which it fits. Raises `DamagedError`."""
    if not data:
        raise DamagedError(ReadFault.EMPTY)
    if not data.startswith(HEAD):
        seen = data.removeprefix(NAME).partition(b"\n")[0]
        other = data.startswith(NAME) and seen.isdigit() and len(seen) <= 9  # noqa: PLR2004  # no longer number was made
        if not other:
            raise DamagedError(ReadFault.WRONG_SHAPE)
        raise DamagedError(ReadFault.UNSUPPORTED_FORMAT, f"seen {int(seen)}, highest known {BACKUP_FORMAT}")
    told, rest = data[len(HEAD) : len(HEAD) + SUM], data[len(HEAD) + SUM :]
    if told != hashlib.sha256(rest).hexdigest().encode() + b"\n":
        raise DamagedError(ReadFault.TAMPERED)
    return rest


def open_set(data: bytes, password: str | None) -> OpenedSet | BackupFailure:
    """Read all of a set. A password for one that is not locked is not needed, and not held against anybody."""
    try:
        read = read_set(data)
        contents, body = read.manifest.contents, read.body
        if read.manifest.lock is not None:
            if password is None:
                return BackupFailure(code=Code.BACKUP_PASSWORD_REQUIRED)
            plain = key_of(password, read.manifest.lock).unseal(body, read.head)
            listed, _, body = plain.partition(BREAK)
            contents = codec.decode(listed, BackupContents)
        # Without a lock there is a list, or it would not have been read.
        contents = contents or BackupContents(files=(), left_out=())
        files = tuple(_files(contents, body))
        for file in files:
            if file.name in RESTORED:  # whoever made the set: what fails its own reading is not passed on as good
                codec.parse(file.data, limit=SET_LIMIT, mark_allowed=file.name is BackupPart.CONFIG)
        return OpenedSet(backup=evolve(read.backup, contents=contents), files=files)
    except WrongPasswordError:
        return BackupFailure(code=Code.BACKUP_PASSWORD_INVALID)
    except BrokenSealError:
        return damaged(ReadFault.TAMPERED)
    except (DamagedError, codec.DecodeError, codec.TextError) as error:
        return damaged(error.fault)


def damaged(fault: ReadFault) -> BackupFailure:
    """Say that nothing is taken from a set."""
    return BackupFailure(code=Code.BACKUP_DAMAGED, detail=fault)


def _whole(head: bytes, body: bytes) -> bytes:
    rest = head + b"\n" + body
    return HEAD + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def _listed(file: KeptFile) -> BackedUpFile:
    return BackedUpFile(name=file.name, sha256=sha256(file.data), bytes=len(file.data))


def _files(contents: BackupContents, body: bytes) -> Iterator[KeptFile]:
    """Take the files out, each proven by its hash. Raises `DamagedError`."""
    if len({file.name for file in contents.files}) != len(contents.files):
        raise DamagedError(ReadFault.DUPLICATE_KEYS)
    if any(file.bytes < 0 for file in contents.files) or sum(file.bytes for file in contents.files) != len(body):
        raise DamagedError(ReadFault.WRONG_SHAPE)
    at = 0
    for file in contents.files:
        data = body[at : at + file.bytes]
        at += file.bytes
        if sha256(data) != file.sha256:
            raise DamagedError(ReadFault.TAMPERED)
        yield KeptFile(name=file.name, data=data)
