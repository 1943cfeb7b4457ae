"""What services print: kept within bounds, read from the end, secrets masked.

A service writes to its file by itself, because it must outlive the Admin. So a full file cannot be taken from it:
it is copied aside and cut to nothing. Opened for appending, the service goes on at the new end.
"""

from __future__ import annotations

import os
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Final

from ems_admin.engines.masking import mask

BOUND: Final = 2 * 1024 * 1024
"""Bytes; a longer file is turned over by whoever looks at the service next."""
KEPT: Final = 2
"""Older files, `.1` the younger."""
LONGEST_LINE: Final = 2000
CHAPTER: Final = "== "
TAIL: Final = 512 * 1024
"""Bytes that are searched for the last lines."""


def keep_within_bounds(log: Path) -> None:
    """Turn a long log over. What is printed between copy and cut is lost. Raises `OSError`."""
    if not log.is_file() or log.stat().st_size <= BOUND:
        return
    aside = _aside(log)
    for younger, older in reversed(list(pairwise(aside))):
        if younger.exists():
            younger.replace(older)
    shutil.copyfile(log, aside[0])
    os.truncate(log, 0)


def last_lines(log: Path, lines: int) -> tuple[str, ...]:
    """Give the last lines, masked, also those that were turned over; none when nothing can be read."""
    newest = _shown(_tail(log), lines)
    return (*_shown(_tail(_aside(log)[0]), lines - len(newest)), *newest)


def begin_chapter(log: Path, title: str) -> None:
    """Say in the log itself that another start begins here. Raises `OSError`."""
    with log.open("ab") as file:
        file.write(f"{CHAPTER}{title}\n".encode())


def last_words(log: Path, lines: int) -> tuple[str, ...]:
    """Give the last lines of the latest start, masked: what an earlier one said explains nothing."""
    said = _tail(log)
    begin = next((number for number in range(len(said), 0, -1) if said[number - 1].startswith(CHAPTER)), 0)
    return _shown(said[begin:], lines)


def _tail(log: Path) -> list[str]:
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            return file.read(TAIL).decode(errors="replace").splitlines()
    except OSError:
        return []


def _shown(said: list[str], lines: int) -> tuple[str, ...]:
    return tuple(mask(line[:LONGEST_LINE]) for line in said[-lines:]) if lines > 0 else ()


def _aside(log: Path) -> tuple[Path, ...]:
    return tuple(log.with_name(f"{log.name}.{number}") for number in range(1, KEPT + 1))
