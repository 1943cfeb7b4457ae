"""What is worth keeping between runs: each thing is made by the first who needs it, and by nobody twice.

A thing is a folder named by what it was made from. It is made beside its place and renamed into it, so it is whole or
it is not there. Throw the whole folder away at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

KEPT: Final = 2
"""Of each kind; an older one is what an older checkout needed."""


def cache() -> Path:
    """Give the folder of the cache."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "ems-admin-lab"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def key(*parts: str | bytes) -> str:
    """Name a thing by what it is made from."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()[:16]


def kept(kind: str, name: str, make: Callable[[Path], None]) -> Path:
    """Give the folder `<kind>-<name>` of the cache; where it is missing, let `make` fill it first."""
    place = cache() / f"{kind}-{name}"
    with _alone(kind):
        if not place.exists():
            fresh = cache() / f".{kind}-{name}.making"
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir()
            make(fresh)
            fresh.rename(place)
            _forget_older(kind)
        os.utime(place)
    return place


@contextlib.contextmanager
def _alone(kind: str) -> Iterator[None]:
    with (cache() / f".{kind}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _forget_older(kind: str) -> None:
    found = sorted(cache().glob(f"{kind}-*"), key=lambda place: place.stat().st_mtime, reverse=True)
    for place in found[KEPT:]:
        shutil.rmtree(place)
