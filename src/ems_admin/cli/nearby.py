"""What a person may have meant by a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def unknown(what: str, word: str, known: Iterable[str]) -> str:
    """Say that the word is unknown, and which known ones look like it."""
    near = get_close_matches(word, tuple(known), n=4, cutoff=0.5)
    return f"There is no {what} {word!r}." + (f" Did you mean {' or '.join(near)}?" if near else "")
