"""Words from outside that a record keeps: cut to what fits, so that no failure is too long-winded to be noted.

Source: `site.md` 4 (a record has at most 64 KiB), `replacement.md` 7.1 (*exit*, *log*).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

REASON_LIMIT: Final = 200
"""Characters that a person may give as the reason of what cannot be taken back."""
MESSAGE_LIMIT: Final = 2000
"""Characters."""
LOG_LINES: Final = 20
LOG_LINE: Final = 200
"""Characters."""
LOG_LIMIT: Final = 2400
"""Bytes of a whole log as a record spells it: sixteen of them leave room to spare."""


def message(said: str | None) -> str | None:
    """Cut a message; a half character, which no file can hold, becomes a question mark."""
    return None if said is None else _whole(said)[:MESSAGE_LIMIT]


def last_words(lines: Iterable[str]) -> tuple[str, ...]:
    """Keep the end of a log: what was said last says most."""
    kept: list[str] = []
    room = LOG_LIMIT
    for line in reversed([_whole(line)[:LOG_LINE] for line in lines][-LOG_LINES:]):
        room -= sum(map(_spelled, line))
        if room < 0:
            break
        kept.append(line)
    return tuple(reversed(kept))


def _whole(text: str) -> str:
    return text.encode(errors="replace").decode()


def _spelled(character: str) -> int:
    if character < " ":
        return len(r"\u0000")
    return 2 if character in '"\\' else len(character.encode())
