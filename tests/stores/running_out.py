"""A disk that has room for so much and no more, or that breaks after so many calls."""

from __future__ import annotations

import errno

from ems_admin.stores.disk import Disk


class RunningOut(Disk):
    """A disk that fails from the n-th call on that changes something. Mutable: it counts."""

    def __init__(self, room: int, error: int = errno.ENOSPC) -> None:
        self.room = room
        self.error = error

    def use(self) -> None:
        self.room -= 1
        if self.room < 0:
            raise OSError(self.error, "no")

    def make_folder(self, name: str, *, at: int, mode: int = 0o700) -> None:
        self.use()
        super().make_folder(name, at=at, mode=mode)

    def write(self, file: int, data: bytes) -> int:
        self.use()
        return super().write(file, data)

    def fsync(self, file: int) -> None:
        self.use()
        super().fsync(file)

    def replace(self, source: str, target: str, *, at: int) -> None:
        self.use()
        super().replace(source, target, at=at)
