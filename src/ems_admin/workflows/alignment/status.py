"""The System Alignment transition as people see it: how far it is, who acts, and what takes it on.

Source: `http.md` 5.4 (Alignment status); `site.md` 3.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.course import GoesOnBy, goes_on_by
from ems_admin.machines.alignment.ending import EndedBy, way_out
from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import Updater
from ems_admin.machines.alignment.outlook import (
    cancel_available,
    is_handed_over,
    is_terminal,
    place_of,
    proof_available,
    resume_available,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.machines.records.replacement import Outcome, Run, UpdaterExit, Verified, WalkStep
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.refusal_sentences.actions import UPDATE_ADMIN
from ems_admin.machines.refusals import Action, Method
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.known_good import return_available
from ems_admin.workflows.alignment.proving import reconnect_facts
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.view import look, verdict
from ems_admin.workflows.sight import Sight, sight

ACTIVITY: Final = {Updater.RUNNING: True, Updater.CREATED: True, Updater.INACTIVE: False, Updater.UNKNOWN: None}
"""One that was created may be started at any moment (`seed 000` 7.4.1)."""

PREPARE_BUILD: Final = Action("prepare_build", "Fetch this build", Method.POST, "/api/setup/releases/prepare")
RESUME: Final = Action("resume", "Go on", Method.POST, "/api/admin/system-alignment/resume")
VERIFY: Final = Action(
    "verify_resources", "Fetch and check the build", Method.POST, "/api/admin/system-alignment/verify-resources"
)
PREPARE: Final = Action("deployment_prepare", "Prepare the EMS", Method.POST, "/api/setup/deployment/prepare")
START: Final = Action("deployment_start", "Start the EMS", Method.POST, "/api/setup/deployment/start")
UPGRADE: Final = Action(
    "upgrade_resume", "Go on with the upgrade", Method.POST, "/api/admin/maintenance/upgrade/resume"
)
ABANDON: Final = Action("abandon", "Discard this setup", Method.POST, "/api/setup/abandon")
CANCEL: Final = Action("cancel", "Cancel the operation", Method.POST, "/api/admin/system-alignment/cancel")

WAYS_OUT: Final[dict[EndedBy, tuple[Action, ...]]] = {
    EndedBy.ABANDON: (ABANDON,),
    EndedBy.CANCEL: (CANCEL,),
    EndedBy.NOBODY: (),
}
FORWARD: Final[dict[GoesOnBy, tuple[Action, ...]]] = {
    GoesOnBy.BEGIN_ANEW: (PREPARE_BUILD,),
    GoesOnBy.UPDATE_ADMIN_ANEW: (UPDATE_ADMIN,),
    GoesOnBy.RESUME: (RESUME,),
    GoesOnBy.VERIFY_RESOURCES: (VERIFY,),
    GoesOnBy.PREPARE_AND_START: (PREPARE, START),
    GoesOnBy.START: (START,),
    GoesOnBy.UPGRADE_RESUME: (UPGRADE,),
    GoesOnBy.WAITING: (),
    GoesOnBy.NOTHING: (),
}


@frozen(kw_only=True)
class ReplacementView:
    """The last attempt to replace the Admin for this operation, and how far its updater has walked."""

    attempt: int
    outcome: Outcome
    step: WalkStep | None
    """`None` while the updater has noted nothing, with all that it notes."""
    step_at: datetime | None
    entries: int | None
    verified_at: Verified | None
    code: str | None
    """What went wrong, as the walk or else the launch has noted it; an end without one is a good end."""
    successor: LastWords | None
    """Of a new Admin that did not live, or was not well."""
    updater: UpdaterExit | None
    """How the updater itself ended, as the engine told it."""


@frozen(kw_only=True)
class LastWords:
    """How a new Admin ended, and what it said last."""

    exit_code: int | None
    log: tuple[str, ...]


@frozen(kw_only=True)
class TransitionView:
    """A readable B1 with everything that is worked out about it on the spot."""

    record: Transition
    expired: bool
    """Shown as expired, also when that is not proven."""
    expiry: Expiry
    worker_active: bool
    replacement_active: bool | None
    """`None` when the engine cannot be asked."""
    replacement: ReplacementView | None
    resume_available: bool
    return_available: bool
    cancel_available: bool
    next_actions: tuple[Action, ...]


@frozen(kw_only=True)
class AlignmentStatus:
    """The status; an unreadable record is `error` and counts as active, for it may claim anything."""

    active: bool
    error: Code | None
    transition: TransitionView | None
    known_good: KnownGood | None


async def alignment_status(house: House) -> AlignmentStatus:
    """Read the status. Never refuses: what cannot be read is shown as that."""
    good = await standing.known_good(house)
    match await house.records.transition.read():
        case Absent():
            return AlignmentStatus(active=False, error=None, transition=None, known_good=good)
        case Unreadable() as unreadable:
            error = standing.read_error(unreadable)
            return AlignmentStatus(active=True, error=error, transition=None, known_good=good)
        case Present(record=record):
            view = await transition_view(house, record)
            return AlignmentStatus(active=not is_terminal(record), error=None, transition=view, known_good=good)


async def transition_view(house: House, transition: Transition) -> TransitionView:
    """Work out what the record alone does not say."""
    seen = await sight(house, transition)
    facts = await standing.cancel_facts(house, transition, seen=seen)
    cancellable = cancel_available(transition, facts)
    return TransitionView(
        record=transition,
        expired=not is_terminal(transition) and facts.expiry is not Expiry.FRESH,
        expiry=facts.expiry,
        worker_active=house.work.names(transition.operation_id),
        replacement_active=ACTIVITY[seen.updater],
        replacement=_replacement(seen),
        resume_available=resume_available(transition, facts.expiry),
        return_available=await return_available(house, transition),
        cancel_available=cancellable,
        next_actions=(
            *_forward(house, transition, seen, facts.expiry),
            *(await _ways_out(house, transition) if cancellable else ()),
        ),
    )


def _replacement(seen: Sight) -> ReplacementView | None:
    attempt, run = seen.attempt, seen.run
    if attempt is None:
        return None
    return ReplacementView(
        attempt=attempt.number,
        outcome=attempt.outcome,
        step=run.step if run else None,
        step_at=run.step_at if run else None,
        entries=run.entries if run else None,
        verified_at=run.verified_at if run else None,
        code=(run.code if run else None) or attempt.code,
        successor=_last_words(run) if run else None,
        updater=attempt.exit,
    )


def _last_words(run: Run) -> LastWords | None:
    said_nothing = run.exit_code is None and not run.log
    return None if said_nothing else LastWords(exit_code=run.exit_code, log=run.log)


def _forward(house: House, transition: Transition, seen: Sight, expiry: Expiry) -> tuple[Action, ...]:
    if is_handed_over(transition) and not proof_available(transition, reconnect_facts(house, transition, seen)):
        return ()
    return FORWARD[goes_on_by(transition, place_of(transition, standing.running_admin(house)), expiry)]


async def _ways_out(house: House, transition: Transition) -> tuple[Action, ...]:
    at = await look(house)
    return WAYS_OUT[way_out(verdict(house, at).owner, at.ownership, transition)]
