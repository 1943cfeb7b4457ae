"""How a Guided Upgrade goes on: what is done next, wherever it was left.

The same question for the upgrade that runs and for the one that is resumed: there is no second way through it. A table
over what B1 and B6 say and over which Admin asks; whatever it answers can be entered again.

Source: `site.md` 3, 9; `http.md` 5.3 (upgrade/resume), 5.5; `replacement.md` 7.2, 7.7.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.outlook import Place, Reopens
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.records.transition import Mode, Stage, Transition
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.machines.upgrade.groundwork import Groundwork, groundwork_of


class Part(StrEnum):
    """What is done between two durable places."""

    BACK_UP = "back_up"
    MIGRATE = "migrate"
    UPDATE_ADMIN = "update_admin"
    """Prepare the new Admin and hand over to it; a failed one is prepared anew, and retried by its dispatch."""
    PROVE_ADMIN = "prove_admin"
    FETCH_BUILD = "fetch_build"
    MAKE_READY = "make_ready"
    """Check the config, bring here what is to run."""
    REPLACE_EMS = "replace_ems"
    """Write down what is to run, and replace what runs."""
    RECOVER_EMS = "recover_ems"
    """A start was cut: look which EMS runs."""
    CHECK_HEALTH = "check_health"
    GO_BACK_FROM_START = "go_back_from_start"
    """A way back was cut: it is taken to its end, whatever the EMS says of itself by now."""
    GO_BACK_FROM_CHECK = "go_back_from_check"
    RETRY = "retry"
    """Take the retry edge, and go on from where it leads."""
    WAIT = "wait"
    """Another Admin goes on."""
    END = "end"
    """It is over."""


class WayBack(StrEnum):
    """Whether what is on record was put back already, in whole or in part."""

    NONE = "none"
    BEGUN = "begun"


@frozen
class Standing:
    """Where an upgrade stands, and who looks at it."""

    stage: Stage
    reopens: Reopens
    groundwork: Groundwork
    way_back: WayBack
    place: Place


BEFORE_THE_EMS: Final = frozenset(
    {Stage.ADMIN_UPDATE_PENDING, Stage.ADMIN_ALIGNED, Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING}
)
"""Where what is due is done first. It is due at the later ones only after a way back has put the old config there."""

UPGRADE_COURSE: Final = Table[Standing, Part](
    name="upgrade_course",
    asks=Standing,
    rows=(
        row(Part.END, stage={Stage.COMPLETED, Stage.CANCELLED}),
        # Where the Admin is to be replaced anew the edge is taken by the dispatch, under its lock: until then the
        # operation stays failed, and what is due is done as it is.
        row(Part.RETRY, stage=Stage.FAILED_RECOVERABLE, reopens=Reopens.SOMETHING_ELSE),
        row(Part.BACK_UP, stage=BEFORE_THE_EMS | {Stage.FAILED_RECOVERABLE}, groundwork=Groundwork.BACKUP_DUE),
        row(Part.MIGRATE, stage=BEFORE_THE_EMS | {Stage.FAILED_RECOVERABLE}, groundwork=Groundwork.MIGRATION_DUE),
        row(Part.UPDATE_ADMIN, stage={Stage.ADMIN_UPDATE_PENDING, Stage.FAILED_RECOVERABLE}),
        row(Part.WAIT, stage=Stage.ADMIN_RECONNECT_PENDING, place=Place.ELSEWHERE),
        # An Admin that cannot name itself tries the proof all the same: the machine answers `admin_unverifiable`.
        row(Part.PROVE_ADMIN, stage=Stage.ADMIN_RECONNECT_PENDING),
        row(Part.FETCH_BUILD, stage=Stage.ADMIN_ALIGNED),
        row(Part.MAKE_READY, stage=Stage.RESOURCES_VERIFIED),
        row(Part.REPLACE_EMS, stage=Stage.EMS_OPERATION_PENDING),
        row(Part.GO_BACK_FROM_START, stage=Stage.EMS_OPERATION_RUNNING, way_back=WayBack.BEGUN),
        row(Part.GO_BACK_FROM_CHECK, stage=Stage.HEALTHCHECK_PENDING, way_back=WayBack.BEGUN),
        row(Part.RECOVER_EMS, stage=Stage.EMS_OPERATION_RUNNING),
        row(Part.CHECK_HEALTH),
    ),
)

REPORTED: Final = frozenset({Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING})
"""Where the resume of the operation itself only reports, and the upgrade's own resume goes on (`site.md` 3)."""


def next_part(transition: Transition, context: UpgradeContext, marker: DeploymentMarker | None, place: Place) -> Part:
    """Say what is done next. `marker` is B3, where there is one that can be read."""
    update = transition.resume_stage is Stage.ADMIN_UPDATE_PENDING
    reopens = Reopens.ADMIN_UPDATE if update else Reopens.SOMETHING_ELSE
    groundwork, way_back = groundwork_of(context), way_back_of(transition, context, marker)
    return UPGRADE_COURSE.classify(Standing(transition.stage, reopens, groundwork, way_back, place))


def way_back_of(transition: Transition, context: UpgradeContext, marker: DeploymentMarker | None) -> WayBack:
    """Say whether a way back has begun: a migration that was taken back, or another build written down again.

    It means something only while an EMS is replaced and looked at, for which both were settled before.
    """
    taken_back = groundwork_of(context) is Groundwork.MIGRATION_DUE
    another = marker is not None and marker.release != transition.system_tag
    return WayBack.BEGUN if taken_back or another else WayBack.NONE


def is_upgrade(transition: Transition | None) -> bool:
    """Say whether the operation on record is one of a Guided Upgrade, also when it is over."""
    return transition is not None and transition.mode is Mode.GUIDED_UPGRADE


def belongs(context: UpgradeContext, transition: Transition) -> bool:
    """Say whether a context is the one of exactly this operation."""
    theirs = (transition.operation_id, transition.system_tag, transition.request_fingerprint)
    return (context.operation_id, context.target_system_tag, context.request_fingerprint) == theirs
