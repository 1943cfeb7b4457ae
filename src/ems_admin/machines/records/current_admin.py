"""The pointer of the native engine: which program of the Admin this site runs.

Source: `replacement.md` 7.8.
"""

from __future__ import annotations

from datetime import datetime

from attrs import frozen


@frozen(kw_only=True)
class CurrentAdmin:
    """Written by an updater alone. Without it the program that was started runs."""

    format_version: int
    build: str
    """The build whose program `serve` and `demo` run."""
    previous: str
    """The build that ran before; its program stays."""
    operation_id: str
    """The replacement that switched."""
    changed_at: datetime
