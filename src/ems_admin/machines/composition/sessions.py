"""Rows 6 to 14: a session ends, a page is loaded again, the Admin starts anew. What is durable does not notice.

Source: `seed 000` 1.2, 1.3, 3.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.composition.row import INSTALLED, PREPARED, UPGRADING, Given, Row, Then, acts

DESKS: Final[tuple[tuple[Given, str, frozenset[str]], ...]] = (
    (PREPARED, "the Setup, at its own step", acts("deployment_start", "abandon")),
    (INSTALLED, "Maintenance", acts("start_setup")),
    (UPGRADING, "the upgrade, where it stands", acts("cancel", "switch_to_guided_setup")),
)


def after(first: int, when: str, view: str) -> tuple[Row, ...]:
    """Give one row for each desk: the same event meets all three alike."""
    return tuple(
        Row(number=str(number), given=given, when=when, then=Then(view=view.format(desk=desk), offers=offers))
        for number, (given, desk, offers) in enumerate(DESKS, first)
    )


SESSIONS: Final = (
    *after(6, "The session ends; the person signs in again", "the sign-in, and behind it {desk}"),
    *after(9, "The page is loaded again", "{desk}"),
    *after(12, "The Admin is killed and starts again", "{desk}; jobs of the process before are not known any more"),
)
