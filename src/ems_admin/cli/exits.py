"""What the exit code of a command says. Source: `site.md` 10."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    OTHER = 1
    USAGE = 2
    """Click's own code for a command line that cannot be understood."""
    REFUSED = 3
    UNPROVABLE = 4
