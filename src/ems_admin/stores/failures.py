"""What the operating system answers, as a code and a word that people may see.

Source: `faults.md` D4, D5, D7, D8, F13.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import ReadFault, Unreadable
from ems_admin.stores.folders import OversizedError, UnsafeFileError, UnsafeFolderError
from ems_admin.workflows.ports.records import NotCommitted

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM})
FIXED: Final = frozenset({errno.EBUSY, errno.EXDEV, errno.EROFS})
"""What a file answers that is a mount of its own, or lies on a file system that only reads."""


@frozen(kw_only=True)
class Words:
    """The codes of one family of files."""

    write_failed: Code
    not_writable: Code
    not_replaceable: Code | None
    """For a family whose files may be mounts of their own; others cannot be, and say `not_writable`."""


STATE: Final = Words(
    write_failed=Code.STATE_WRITE_FAILED, not_writable=Code.ADMIN_DATA_NOT_WRITABLE, not_replaceable=None
)
CONFIG: Final = Words(
    write_failed=Code.CONFIG_WRITE_FAILED,
    not_writable=Code.CONFIG_NOT_WRITABLE,
    not_replaceable=Code.CONFIG_FILE_NOT_REPLACEABLE,
)


def not_committed(error: OSError, *, words: Words, folder: str, path: str) -> NotCommitted:
    """Say why nothing was written. `folder` is shown, `path` is looked at."""
    code, detail = _named(error, words=words, folder=folder, path=path)
    return NotCommitted(code=code, detail=detail)


def refused(error: OSError, *, words: Words, folder: str, path: str) -> Refusal:
    """Say why a file cannot even be held."""
    code, detail = _named(error, words=words, folder=folder, path=path)
    return Refusal(code, detail=detail)


def unreadable(error: OSError) -> Unreadable:
    """Say why a file that may be there could not be read."""
    if isinstance(error, OversizedError):
        return Unreadable(fault=ReadFault.TOO_LARGE, detail=str(error.seen.size), sha256=error.seen.sha256)
    if isinstance(error, UnsafeFolderError):
        return Unreadable(fault=ReadFault.DIRECTORY_UNSAFE)
    if isinstance(error, UnsafeFileError):
        return Unreadable(fault=ReadFault.FILE_UNSAFE)
    if error.errno in FORBIDDEN:
        return Unreadable(fault=ReadFault.NOT_PERMITTED)
    return Unreadable(fault=ReadFault.IO_ERROR, detail=word(error))


def owners(folder: str, path: str) -> str:
    """Tell whose a folder or file is and who we are: `state is 0:0, running as 1000:1000`."""
    try:
        seen = Path(path).stat()
    except OSError:
        return f"{folder} cannot be looked at, running as {os.geteuid()}:{os.getegid()}"
    return f"{folder} is {seen.st_uid}:{seen.st_gid}, running as {os.geteuid()}:{os.getegid()}"


def word(error: OSError) -> str:
    """Name an error without the system's sentence, which may hold a path."""
    if error.errno in FULL:
        return "no_space"
    return "io_error" if error.errno == errno.EIO else errno.errorcode.get(error.errno or 0, "unknown").lower()


def _named(error: OSError, *, words: Words, folder: str, path: str) -> tuple[Code, str | None]:
    if isinstance(error, UnsafeFolderError):
        return Code.STATE_DIRECTORY_UNSAFE, folder
    if isinstance(error, UnsafeFileError):
        return (words.not_replaceable, "symlink") if words.not_replaceable else (Code.STATE_FILE_UNSAFE, folder)
    if words.not_replaceable is not None and error.errno in FIXED:
        return words.not_replaceable, word(error)
    if error.errno in FORBIDDEN:
        return words.not_writable, owners(*_in_the_way(error, folder=folder, path=path))
    if error.errno == errno.EROFS:
        return words.not_writable, owners(folder, path)
    return words.write_failed, word(error)


def _in_the_way(error: OSError, *, folder: str, path: str) -> tuple[str, str]:
    """Tell a file of somebody else in a folder of ours, such as a command of root leaves it, from the folder."""
    name = Path(str(error.filename2 or error.filename or "")).name
    file = Path(path, name)
    return (f"{folder}/{name}", str(file)) if name and file.is_file() else (folder, path)
