"""One line of the history of the live config: which bytes it became, from which, and by which way.

Source: `site.md` 9 (Config history).
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import field, frozen

from ems_admin.machines.records.config_commit import WritePath

HISTORY_FORMAT: Final = 1


@frozen(kw_only=True)
class KeptRevision:
    """The live config became these bytes. Each line begins where the one before it ends.

    But for bytes that said nothing: they have no line, and a copy of them lies among the backups.
    """

    format_version: int = field(metadata={"format": HISTORY_FORMAT})
    sequence: int
    """Counted from 1."""
    commit_id: str
    """Of the commit that wrote it, or that came upon it."""
    path: WritePath | None
    """The way by which we wrote it; `None` for what was found there, written by somebody else."""
    revision: str
    base: str | None
    """The revision that it took the place of; `None` where there was none, or none was known."""
    kept_at: datetime
