"""Disks that fail at one chosen call: with an error of the operating system, or for good."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from attrs import define, field

from ems_admin.stores.disk import Disk


class PowerCutError(BaseException):
    """Everything stops here. Nobody handles it, and nothing is tidied up: the disk does not answer any more."""


@define
class NumberedDisk(Disk):
    """The real disk, whose calls are counted. Mutable: it counts.

    At call number `fails_at`, and at as many after it as told, the call does not happen and `error` is raised instead;
    with `afterwards` the call happens first, as when an answer is lost.
    """

    fails_at: int = 0
    error: int | type[PowerCutError] = errno.EIO
    times: int = 1
    afterwards: bool = False
    only: str | None = None
    calls: list[str] = field(factory=list)
    dead: bool = False

    def __getattribute__(self, name: str) -> Any:
        real = object.__getattribute__(self, name)
        if name.startswith("_") or name not in CALLS:
            return real
        return lambda *args, **kwargs: self._call(name, real, args, kwargs)

    def _call(self, name: str, real: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        if self.dead:
            if name == "close":
                return real(*args, **kwargs)  # the kernel closes everything of a process that ends
            raise PowerCutError
        if name == "close" or self.only not in {None, name}:
            return real(*args, **kwargs)
        self.calls.append(name)
        if not self.fails_at <= len(self.calls) < self.fails_at + self.times:
            return real(*args, **kwargs)
        if self.afterwards:
            with suppress(OSError):
                real(*args, **kwargs)
        if isinstance(self.error, int):
            raise OSError(self.error, os.strerror(self.error))
        self.dead = True
        raise self.error


CALLS = frozenset(name for name in vars(Disk) if not name.startswith("_"))


@contextmanager
def power_cut() -> Iterator[None]:
    """Run what may be cut."""
    with suppress(PowerCutError):
        yield
