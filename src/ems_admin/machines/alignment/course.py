"""By which command an operation goes on: the first of the actions that its status names.

Source: `site.md` 3 (table of the stages, "Expiry").
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.outlook import Place
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.transition import SETUP_MODES, Mode, Stage, Transition


@frozen
class Course:
    """Where an operation stands, who looks at it, and how old it is: some of the ways on close with its hour."""

    stage: Stage
    mode: Mode
    place: Place
    expiry: Expiry


class GoesOnBy(StrEnum):
    """What takes an operation on: the action that its status names first."""

    BEGIN_ANEW = "begin_anew"
    """Its hour is over: the Setup fetches the build again, under the same workflow and with the same draft."""
    UPDATE_ADMIN_ANEW = "update_admin_anew"
    """The same for a build that another Admin belongs to."""
    RESUME = "resume"
    VERIFY_RESOURCES = "verify_resources"
    PREPARE_AND_START = "prepare_and_start"
    """Setup: prepare the deployment if that has not been done, then start it."""
    START = "start"
    UPGRADE_RESUME = "upgrade_resume"
    WAITING = "waiting"
    """Nobody here: the updater acts, or the Admin that it brings."""
    NOTHING = "nothing"
    """The operation is over."""


CLOSED_BY_AGE: Final = frozenset(
    {Stage.ADMIN_UPDATE_PENDING, Stage.ADMIN_ALIGNED, Stage.RESOURCES_VERIFIED, Stage.FAILED_RECOVERABLE}
)
"""Where the way on is one that expiry closes (`site.md` 3)."""

GOES_ON_BY: Final = Table[Course, GoesOnBy](
    name="goes_on_by",
    asks=Course,
    rows=(
        row(
            GoesOnBy.UPDATE_ADMIN_ANEW,
            stage=CLOSED_BY_AGE,
            mode=SETUP_MODES,
            expiry=Expiry.EXPIRED,
            place=Place.ELSEWHERE,
        ),
        row(GoesOnBy.BEGIN_ANEW, stage=CLOSED_BY_AGE, mode=SETUP_MODES, expiry=Expiry.EXPIRED),
        row(GoesOnBy.RESUME, stage=Stage.ADMIN_RECONNECT_PENDING, place=Place.TARGET),
        row(GoesOnBy.WAITING, stage=Stage.ADMIN_RECONNECT_PENDING),
        row(GoesOnBy.VERIFY_RESOURCES, stage=Stage.ADMIN_ALIGNED),
        row(GoesOnBy.PREPARE_AND_START, stage=Stage.RESOURCES_VERIFIED, mode=SETUP_MODES),
        row(GoesOnBy.START, stage=Stage.EMS_OPERATION_PENDING, mode=SETUP_MODES),
        row(
            GoesOnBy.UPGRADE_RESUME,
            stage={Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING},
            mode=Mode.GUIDED_UPGRADE,
        ),
        row(GoesOnBy.NOTHING, stage={Stage.COMPLETED, Stage.CANCELLED}),
        row(GoesOnBy.RESUME),
    ),
)


def goes_on_by(transition: Transition, place: Place, expiry: Expiry) -> GoesOnBy:
    """Say what takes the operation on."""
    return GOES_ON_BY.classify(Course(transition.stage, transition.mode, place, expiry))
