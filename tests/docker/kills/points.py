"""The numbered points of a replacement, as a fuse knows them.

A step that the run record does not note is over when its hand comes back: killed there, it is done and nobody has
noted it. *During* a step the engine has acted, and the hand that asked for it has not heard or looked yet.
Source: `replacement.md` 7.3, 7.4; the numbers are those of `machines/replacement/seams.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from tests.docker.kills.case import Point, Role

HANDS: Final = "ems_admin.docker.replacement"
MOVER: Final = f"{HANDS}.mover.DockerMover"
LAUNCHER: Final = f"{HANDS}.launcher.DockerLauncher"
ACTS: Final = f"{HANDS}.acts.Acts"
DISPATCH, RUN, B1 = "replacement-dispatch", "replacement-run", "pending-transition"


def _admin(title: str, at: str) -> tuple[str, Point]:
    return title, Point(title=title, role=Role.ADMIN, at=at)


def _updater(title: str, at: str) -> tuple[str, Point]:
    return title, Point(title=title, role=Role.UPDATER, at=at)


DISPATCHED: Final = dict(
    (
        _admin("before R1", f"record:{DISPATCH}:before:attempts.-1.outcome=intended"),
        _admin("after R1", f"record:{DISPATCH}:after:attempts.-1.outcome=intended"),
        _admin("after R2", f"record:{B1}:after:stage=admin_reconnect_pending"),
        _admin("during R3", f"call:{HANDS}.creating._created:after:1"),
        _admin("after R3", f"call:{LAUNCHER}.create:after:1"),
        _admin("during R4", f"call:{LAUNCHER}._act:after:1"),
        _admin("after R4", f"call:{LAUNCHER}.start:after:1"),
        _admin("after R5", f"record:{DISPATCH}:after:attempts.-1.outcome=launched"),
    )
)

WALKED: Final = dict(
    (
        _updater("before U1", f"record:{RUN}:before:step=opened"),
        _updater("after U1", f"record:{RUN}:after:step=opened"),
        _updater("during U2", f"record:{B1}:after:1"),
        _updater("after U2", f"record:{RUN}:after:step=claimed"),
        _updater("during U3", f"call:{MOVER}.snapshot:after:1"),
        _updater("after U3", f"record:{RUN}:after:step=moving"),
        _updater("after U4", f"call:{MOVER}.fence:after:1"),
        _updater("during U5", f"call:{ACTS}.stop:after:1"),
        _updater("after U5", f"call:{MOVER}.stop_predecessor:after:1"),
        _updater("during U6", f"call:{ACTS}.rename:after:1"),
        _updater("after U6", f"call:{MOVER}.set_aside:after:1"),
        _updater("during U7", f"call:{ACTS}.create:after:1"),
        _updater("after U7", f"record:{RUN}:after:successor.name={{name}}"),
        _updater("during U8", f"call:{ACTS}.start:after:1"),
        _updater("after U8", f"call:{MOVER}.start_successor:after:1"),
        _updater("during U9", f"call:{HANDS}.verification.Verifying._becomes_well:after:1"),
        _updater("after U9", f"call:{MOVER}.verify_successor:after:1"),
        _updater("after U10", f"record:{RUN}:after:step=verified"),
        _updater("after U11", f"call:{MOVER}.name_successor:after:1"),
        _updater("after U12", f"call:{MOVER}.unfence_successor:after:1"),
        _updater("during U13", f"call:{ACTS}.remove:after:1"),
        _updater("after U13", f"call:{MOVER}.remove_predecessor:after:1"),
        _updater("during U14", f"record:{RUN}:after:step=ended"),
        _updater("after U14", f"call:{MOVER}.retire:after:1"),
    )
)

WALKED_BACK: Final = dict(
    (
        _updater("after note_failure", f"record:{RUN}:after:step=rolling_back"),
        _updater("during remove_successor", f"call:{ACTS}.remove:after:1"),
        _updater("after remove_successor", f"call:{MOVER}.remove_successor:after:1"),
        _updater("during restore_predecessor", f"call:{HANDS}.predecessor.Predecessor.restore:after:1"),
        _updater("after restore_predecessor", f"call:{MOVER}.restore_predecessor:after:1"),
        _updater("after note_back", f"record:{RUN}:after:step=rolled_back"),
        _updater("after fail_operation", f"record:{B1}:after:stage=failed_recoverable"),
        _updater("after end_run", f"record:{RUN}:after:step=ended"),
        _updater("after retire", f"call:{MOVER}.retire:after:1"),
    )
)


class InARow(TypedDict):
    """The words of a case that kills one process after the other."""

    point: Point
    further: tuple[Point, ...]


def in_a_row(points: Mapping[str, Point], titles: Sequence[str]) -> InARow:
    """Give the points at which the processes of one replacement are killed, one after the other."""
    first, *further = (points[title] for title in titles)
    return {"point": first, "further": tuple(further)}
