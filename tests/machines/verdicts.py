"""Replay the verdicts of a table, written by hand from the specification.

    given COLUMN=WORD …     what holds for every line below, until it is given anew
    COLUMN=WORD … -> WORDS  one question, and what is read from it

A line that begins with `#` is a remark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from ems_admin.machines.kernel import Row, Table
from tests.machines.words import read

Q = TypeVar("Q")


def replay(text: str, kind: type[Q], say: Callable[[Q], str]) -> str:
    """Tell the text anew: it is right if it comes out as it went in."""
    return "\n".join(_tell(text, kind, say)) + "\n"


def questions(text: str, kind: type[Q]) -> Iterator[Q]:
    """Give every question that the text asks."""
    given: dict[str, str] = {}
    for line in text.splitlines():
        match line.split():
            case ["given", *words]:
                given |= _pairs(words)
            case [first, *_] if not first.startswith("#"):
                yield read(kind, given, _pairs(line.partition("->")[0].split()))
            case _:
                pass  # a remark, or an empty line


def texts(beside: str) -> tuple[Path, ...]:
    """List the texts that lie beside a test."""
    found = tuple(sorted(Path(beside).parent.glob("*.txt")))
    assert found, f"no text beside {beside}"
    return found


def unused(table: Table[Any, Any], asked: list[Any]) -> list[Row[Any]]:
    """List the rows that answered none of the questions."""
    used = {next(row for row in table.rows if row.fits(question)) for question in asked}
    return [row for row in table.rows if row not in used]


def _tell(text: str, kind: type[Q], say: Callable[[Q], str]) -> Iterator[str]:
    asked = questions(text, kind)
    for line in text.splitlines():
        words = line.split()
        if not words or words[0] == "given" or words[0].startswith("#"):
            yield line
        else:
            yield f"{line.partition('->')[0]}-> {say(next(asked))}"


def _pairs(words: list[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words)
