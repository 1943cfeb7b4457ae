"""How an operation goes on: what a resume does, what the console offers, whether it can be cancelled.

Projections of the stage, computed on every read and stored nowhere. Whether a cancel would be taken is not written
down a second time: the machine itself is asked.

Source: `site.md` 3 (table of the stages), `http.md` 5.4, 5.5.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import CANCEL, RESUME_AFTER_ADMIN_RECONNECT, CancelFacts, ReconnectFacts
from ems_admin.machines.alignment.writes import resume_fits
from ems_admin.machines.kernel import Refused, Table, row
from ems_admin.machines.records.transition import AdminIdentity, Mode, Stage, Transition
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT, TRANSITION
from ems_admin.machines.values.digests import known_by


class Place(StrEnum):
    """Which Admin looks at the operation."""

    TARGET = "target"
    """The Admin that belongs to the build."""
    ELSEWHERE = "elsewhere"
    """Another one, such as the Admin that is being replaced."""
    UNKNOWN = "unknown"
    """An Admin that cannot tell its own identity."""


class Reopens(StrEnum):
    """What a retry would open anew. It means nothing of an operation that has not failed."""

    ADMIN_UPDATE = "admin_update"
    SOMETHING_ELSE = "something_else"


@frozen
class Position:
    """Where an operation stands, and who looks at it."""

    stage: Stage
    mode: Mode
    place: Place
    reopens: Reopens


class ResumeStep(StrEnum):
    """What a resume does."""

    UPDATE_ADMIN = "update_admin"
    """Prepare and dispatch the replacement."""
    PROVE_ADMIN = "prove_admin"
    """Prove that the running Admin is the target, then go on as from `admin_aligned`."""
    VERIFY_RESOURCES = "verify_resources"
    """Import and verify under the claim, a stale claim taken over."""
    CHECK_HEALTH = "check_health"
    RECOVER_EMS = "recover_ems"
    """Look which EMS runs, and go on from there."""
    RETRY_ADMIN_UPDATE = "retry_admin_update"
    """Prepare the replacement anew; the retry edge is taken by its dispatch, under the lock."""
    RETRY = "retry"
    """Take the retry edge, then go on as from the stage that it reaches."""
    REPORT = "report"
    """Nothing: another command, or another Admin, goes on."""
    REFUSE = "refuse"
    """The operation is over."""


RESUMPTION: Final = Table[Position, ResumeStep](
    name="resumption",
    asks=Position,
    rows=(
        row(ResumeStep.UPDATE_ADMIN, stage=Stage.ADMIN_UPDATE_PENDING),
        # An Admin that cannot name itself tries the proof all the same: the machine answers `admin_unverifiable`.
        row(
            ResumeStep.PROVE_ADMIN,
            stage=Stage.ADMIN_RECONNECT_PENDING,
            place={Place.TARGET, Place.UNKNOWN},
        ),
        row(ResumeStep.VERIFY_RESOURCES, stage=Stage.ADMIN_ALIGNED),
        row(ResumeStep.CHECK_HEALTH, stage=Stage.RESOURCES_VERIFIED, mode=Mode.ALIGN_EXISTING_INSTALL),
        row(ResumeStep.RECOVER_EMS, stage=Stage.EMS_OPERATION_RUNNING),
        row(ResumeStep.CHECK_HEALTH, stage=Stage.HEALTHCHECK_PENDING),
        row(ResumeStep.RETRY_ADMIN_UPDATE, stage=Stage.FAILED_RECOVERABLE, reopens=Reopens.ADMIN_UPDATE),
        row(ResumeStep.RETRY, stage=Stage.FAILED_RECOVERABLE),
        row(ResumeStep.REFUSE, stage={Stage.COMPLETED, Stage.CANCELLED}),
        row(ResumeStep.REPORT),
    ),
)


PANEL: Final = frozenset(
    {Stage.EMS_OPERATION_PENDING, Stage.EMS_OPERATION_RUNNING, Stage.HEALTHCHECK_PENDING, Stage.FAILED_RECOVERABLE}
)
"""The stages at which the recovery panel offers to resume."""


TO_THE_END: Final = frozenset({Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL})
"""The operations that need nobody's word on their way: one of a Setup waits for its config."""


def place_of(transition: Transition, running: AdminIdentity | None) -> Place:
    """Say whether the running Admin is the target. `None` stands for one that cannot be identified."""
    if running is None:
        return Place.UNKNOWN
    target = (transition.admin_digest, transition.build_id, transition.revision)
    known = known_by(transition.digest_kind, digest=running.digest, image_id=running.image)
    return Place.TARGET if (known, running.build_id, running.revision) == target else Place.ELSEWHERE


def resume_step(transition: Transition, place: Place) -> ResumeStep:
    """Say what a permitted resume does."""
    return RESUMPTION.classify(_position(transition, place))


def _position(transition: Transition, place: Place) -> Position:
    update = transition.resume_stage is Stage.ADMIN_UPDATE_PENDING
    reopens = Reopens.ADMIN_UPDATE if update else Reopens.SOMETHING_ELSE
    return Position(transition.stage, transition.mode, place, reopens)


def is_handed_over(transition: Transition) -> bool:
    """Say whether an updater was promised and the new Admin is waited for: the page then looks for another one."""
    return transition.stage is Stage.ADMIN_RECONNECT_PENDING


def has_failed(transition: Transition) -> bool:
    """Say whether the operation failed and waits for a second try, or for its end."""
    return transition.stage is Stage.FAILED_RECOVERABLE


def goes_on_by_itself(transition: Transition) -> bool:
    """Say whether nobody sits before it: a token accepted the operation, so no browser will ask it to go on.

    An upgrade and an alignment go on from wherever they were left, a Setup from its handover alone. What has failed
    waits for somebody all the same: trying it again and again mends nothing.
    """
    left = transition.mode in TO_THE_END and not has_failed(transition) and not is_terminal(transition)
    return transition.accepted_by.token is not None and (left or is_handed_over(transition))


def never_handed_over(transition: Transition) -> bool:
    """Say whether the update of the Admin still waits for its handover, which proves that nothing was started."""
    return transition.stage is Stage.ADMIN_UPDATE_PENDING


def resume_available(transition: Transition, expiry: Expiry) -> bool:
    """Say whether the recovery panel offers to resume. A flag for the eye: it permits nothing."""
    return transition.stage in PANEL and expiry is not Expiry.EXPIRED


def is_terminal(transition: Transition) -> bool:
    """Say whether the operation is over."""
    return transition.stage in TRANSITION.final


def is_beyond_cancel(transition: Transition) -> bool:
    """Say whether its stage mutates the EMS, so that it is finished before it can be ended."""
    return transition.stage in {Stage.EMS_OPERATION_RUNNING, Stage.HEALTHCHECK_PENDING}


def is_pending(transition: Transition | None) -> bool:
    """Say whether an operation is under way, of any mode and age: unrelated config writes then wait."""
    return transition is not None and not is_terminal(transition)


def resources_are_ready(transition: Transition) -> bool:
    """Say whether config and deployment may be worked on: the resources are there, and no start is under way.

    A start that failed leads back here, so that it forces nobody to begin anew (`site.md` 1.12).
    """
    return transition.stage in {Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING}


def cancel_available(transition: Transition, facts: CancelFacts) -> bool:
    """Say whether a cancel would be taken, by asking for it. There is nothing left to cancel of what is over."""
    return not is_terminal(transition) and not isinstance(SYSTEM_ALIGNMENT.decide(transition, CANCEL, facts), Refused)


def proof_available(transition: Transition, facts: ReconnectFacts) -> bool:
    """Say whether the Admin that is waited for may prove itself, by asking for it: not while an updater may go back."""
    return not isinstance(SYSTEM_ALIGNMENT.decide(transition, RESUME_AFTER_ADMIN_RECONNECT, facts), Refused)


def failure_fits(transition: Transition) -> bool:
    """Say whether the failure fields fit the stage: a failed operation has all three, no other one has any.

    Where it resumes follows from where it failed. A record for which this is false was not written by this machine
    (`state_tampered`): a retry of it would skip what the operation is for.
    """
    failed, resume, code = transition.failed_stage, transition.resume_stage, transition.error_code
    if transition.stage is not Stage.FAILED_RECOVERABLE:
        return (failed, resume, code, transition.error_message) == (None, None, None, None)
    if failed is None or resume is None or code is None:
        return False
    return resume_fits(transition.mode, failed, resume)
