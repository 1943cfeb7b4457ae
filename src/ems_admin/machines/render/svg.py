"""What Graphviz draws, made fit to stand in a page: no prologue, no comments, and a mark of what it was drawn from.

The mark is the SHA-256 of the text of the drawing. With it a stale picture is found without Graphviz, whose versions
draw the same text a little differently.
"""

from __future__ import annotations

import hashlib
import re
from html import escape
from typing import Final

MARK: Final = re.compile(r'data-drawn-from="sha256:([0-9a-f]{64})"')


def finish(drawn: str, *, source: str, title: str) -> str:
    """Turn the output of Graphviz for `source` into the SVG that is committed."""
    body = re.sub(r"<!--.*?-->\n?", "", drawn[drawn.index("<svg") :], flags=re.DOTALL).replace("&#45;", "-")
    # Several pictures may stand in one page: only the states keep an id, and no name but theirs becomes a tooltip.
    body = re.sub(r' id="(?!state-)[^"]*"', "", body)
    body = re.sub(r"<title>(?:begin |joint |ask |[^<]*-&gt;)[^<]*</title>\n", "", body)
    mark = f'<svg role="img" aria-label="{escape(title)}" data-drawn-from="sha256:{_digest(source)}"'
    return body.replace("<svg", mark, 1)


def is_drawn_from(svg: str, source: str) -> bool:
    """Say whether a committed SVG was drawn from exactly this text."""
    mark = MARK.search(svg)
    return mark is not None and mark[1] == _digest(source)


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()
