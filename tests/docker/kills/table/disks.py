"""The disk of the site fills up, and is freed again. Source: `faults.md` F01; `replacement.md` 7.3, 7.4."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from tests.docker.kills.acts import (
    disk_fills,
    disk_is_freed,
    new_admin_is_there,
    old_admin_serves,
    on_a_small_disk,
    resume,
    waits_for_resume,
)
from tests.docker.kills.case import Act, Back, Case, Does, Ends, Point, new, old
from tests.docker.kills.points import DISPATCHED, WALKED, WALKED_BACK


def _full(title: str, point: Point, ends: Ends, *then: Act, target: str = "newer") -> Case:
    return Case(
        title=f"the disk is full {title}",
        who="the disk",
        target=target,
        point=point,
        does=Does.HOLD,
        before=(on_a_small_disk,),
        there=(disk_fills,),
        then=then,
        ends=ends,
    )


BY_HAND: Final = (waits_for_resume, disk_is_freed, resume)

DISKS: Final = (
    _full("before R1; it is freed, and an operator goes on", DISPATCHED["before R1"], new(), *BY_HAND),
    _full("after R1; it is freed, and an operator goes on", DISPATCHED["after R1"], new(), *BY_HAND),
    _full("after U3, and is freed", WALKED["after U3"], new(), new_admin_is_there, disk_is_freed),
    _full("after U9, and is freed", WALKED["after U9"], new(back=Back.NOBODY), new_admin_is_there, disk_is_freed),
    _full(
        "on the way back, after note_failure, and is freed",
        WALKED_BACK["after note_failure"],
        old(Code.REPLACEMENT_START_FAILED),
        old_admin_serves,
        disk_is_freed,
        target="dying",
    ),
)
