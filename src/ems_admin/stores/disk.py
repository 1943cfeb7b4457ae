"""The few calls that change or read a disk, as one small object, so that each can be numbered and failed in turn."""

from __future__ import annotations

import os
import stat
from typing import Final

FOLDER_MODE: Final = 0o700
RECORD_MODE: Final = 0o600

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # a link is refused, a pipe is not waited for


class Disk:
    """The operating system's own calls, without state. `at` is the handle of an open folder, a name has no slash."""

    def open_root(self, path: str) -> int:
        """Open a folder by its whole path, wherever links lead."""
        return os.open(path, _FOLDER)

    def open_folder(self, name: str, *, at: int) -> int:
        """Open a folder inside another one, but no link to one."""
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=at)

    def make_folder(self, name: str, *, at: int, mode: int = FOLDER_MODE) -> None:
        """Make a folder, which nobody else may enter unless said."""
        os.mkdir(name, mode, dir_fd=at)

    def open(self, name: str, flags: int, *, at: int, mode: int = RECORD_MODE) -> int:
        """Open a file, but no link to one."""
        return os.open(name, flags | _FILE, mode, dir_fd=at)

    def is_regular(self, file: int) -> bool:
        """Say whether an open file is a file, and no pipe, device or folder."""
        return stat.S_ISREG(os.fstat(file).st_mode)

    def write(self, file: int, data: bytes) -> int:
        """Write some of `data` and say how much."""
        return os.write(file, data)

    def read(self, file: int, size: int) -> bytes:
        """Read at most `size` bytes."""
        return os.read(file, size)

    def fsync(self, file: int) -> None:
        """Bring a file or a folder to the disk."""
        os.fsync(file)

    def close(self, file: int) -> None:
        """Close what was opened."""
        os.close(file)

    def replace(self, source: str, target: str, *, at: int) -> None:
        """Give a file the name of another one, in one step."""
        os.replace(source, target, src_dir_fd=at, dst_dir_fd=at)

    def unlink(self, name: str, *, at: int) -> None:
        """Remove a name."""
        os.unlink(name, dir_fd=at)

    def names(self, folder: int) -> list[str]:
        """List a folder."""
        return os.listdir(folder)


DISK: Final = Disk()
"""The real one."""
