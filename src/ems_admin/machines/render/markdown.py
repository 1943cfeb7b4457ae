"""The few shapes of Markdown that the generated pages are made of."""

from __future__ import annotations

from collections.abc import Iterable


def grid(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Lay out a table."""
    lines = [tuple(head), *map(tuple, rows)]
    lines.insert(1, ("---",) * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def codes(words: Iterable[object]) -> str:
    """Set words as code, comma between them."""
    return ", ".join(f"`{word}`" for word in words)


def document(*parts: str) -> str:
    """Put the parts of a page under one another; what is empty is left out."""
    return "\n\n".join(part for part in parts if part) + "\n"
