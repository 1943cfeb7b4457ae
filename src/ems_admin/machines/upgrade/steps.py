"""The steps of a Guided Upgrade in the only order in which they are done, and what a cut behind each of them leaves.

What a person sees as progress is read from B1 and B6: a step is settled when they say so, not when somebody remembers
it. Source: `site.md` 9 (Steps).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.records.transition import Stage, Transition
from ems_admin.machines.records.upgrade import UpgradeContext, UpgradeOptions


class Step(StrEnum):
    """One step, as people and programs name it."""

    VERIFY_BUILD = "verify_build"
    PREFLIGHT = "preflight"
    MIGRATION_REVIEW = "migration_review"
    BACKUP = "backup"
    MIGRATION = "migration"
    ADMIN = "admin"
    HANDOVER = "handover"
    RESOURCES = "resources"
    CONFIG_CHECK = "config_check"
    PULL = "pull"
    UPDATE_STACK = "update_stack"
    RECREATE_EMS = "recreate_ems"
    DIAGNOSTICS = "diagnostics"
    KNOWN_GOOD = "known_good"


class Again(StrEnum):
    """What a resume does about a step that was done, or begun, when everything went dark."""

    NEVER = "never"
    """It is on record, and not done a second time."""
    LOOKS = "looks"
    """It looks what became of it, and goes on from there."""
    ANEW = "anew"
    """It is done once more: a second time changes nothing."""


@frozen(kw_only=True)
class UpgradeStep:
    """One step: what it changes, while B1 stands where, and what becomes of it after a cut."""

    step: Step
    label: str
    changes: str
    """What it changes; `nothing` where it only looks."""
    at: Stage | None
    """Where B1 stands until it is settled; `None` for a step that comes before there is an operation."""
    again: Again
    because: str


STEPS: Final = (
    UpgradeStep(
        step=Step.VERIFY_BUILD,
        label="Verify the build",
        changes="nothing",
        at=None,
        again=Again.NEVER,
        because="Its digests are the identity of the operation.",
    ),
    UpgradeStep(
        step=Step.PREFLIGHT,
        label="Look what it means for this site",
        changes="nothing",
        at=None,
        again=Again.NEVER,
        because="Only the plan that was agreed to has begun.",
    ),
    UpgradeStep(
        step=Step.MIGRATION_REVIEW,
        label="Review what becomes of the config",
        changes="B6",
        at=None,
        again=Again.NEVER,
        because="The revision that was reviewed is on record, and no other one is written.",
    ),
    UpgradeStep(
        step=Step.BACKUP,
        label="Back up",
        changes="backup set, B6",
        at=Stage.ADMIN_UPDATE_PENDING,
        again=Again.NEVER,
        because="The set bears the name of the operation: one that was made and not noted is found by it.",
    ),
    UpgradeStep(
        step=Step.MIGRATION,
        label="Migrate the config",
        changes="config.json, credentials.json, B6",
        at=Stage.ADMIN_UPDATE_PENDING,
        again=Again.NEVER,
        because="The history of the config tells by the name of the operation that it was written.",
    ),
    UpgradeStep(
        step=Step.ADMIN,
        label="Prepare the new Admin",
        changes="release cache, image of the Admin",
        at=Stage.ADMIN_UPDATE_PENDING,
        again=Again.ANEW,
        because="Nothing that runs was touched.",
    ),
    UpgradeStep(
        step=Step.HANDOVER,
        label="Hand over to the new Admin",
        changes="dispatch record, B1, the Admin",
        at=Stage.ADMIN_RECONNECT_PENDING,
        again=Again.LOOKS,
        because="Attempts are counted and their updaters are looked at: one attempt never launches two.",
    ),
    UpgradeStep(
        step=Step.RESOURCES,
        label="Fetch and check the build",
        changes="release cache, B4, B1",
        at=Stage.ADMIN_ALIGNED,
        again=Again.ANEW,
        because="Importing again verifies what is there.",
    ),
    UpgradeStep(
        step=Step.CONFIG_CHECK,
        label="Check the config against the build",
        changes="nothing",
        at=Stage.RESOURCES_VERIFIED,
        again=Again.ANEW,
        because="It only looks.",
    ),
    UpgradeStep(
        step=Step.PULL,
        label="Fetch the EMS",
        changes="images or programs of the EMS",
        at=Stage.RESOURCES_VERIFIED,
        again=Again.ANEW,
        because="What is here and verifies is not fetched again.",
    ),
    UpgradeStep(
        step=Step.UPDATE_STACK,
        label="Write down what will run",
        changes="stack file, B3",
        at=Stage.EMS_OPERATION_PENDING,
        again=Again.ANEW,
        because="The same bytes are written.",
    ),
    UpgradeStep(
        step=Step.RECREATE_EMS,
        label="Replace the EMS",
        changes="services of the EMS, B1",
        at=Stage.EMS_OPERATION_RUNNING,
        again=Again.LOOKS,
        because="The identity of the EMS that runs decides whether the start came through.",
    ),
    UpgradeStep(
        step=Step.DIAGNOSTICS,
        label="Look whether it is well",
        changes="nothing",
        at=Stage.HEALTHCHECK_PENDING,
        again=Again.ANEW,
        because="It only asks.",
    ),
    UpgradeStep(
        step=Step.KNOWN_GOOD,
        label="Remember it as good",
        changes="B5, B1, B6",
        at=Stage.HEALTHCHECK_PENDING,
        again=Again.ANEW,
        because="Only a build that was just found well is remembered, however often that is asked.",
    ),
)
"""Also the order of a job's steps."""

WALK: Final = tuple(stage for stage in Stage if stage not in {Stage.FAILED_RECOVERABLE, Stage.CANCELLED})


class StepStanding(StrEnum):
    """How one step stands, as far as it is on record."""

    SETTLED = "settled"
    NEXT = "next"
    OPEN = "open"


@frozen(kw_only=True)
class StepView:
    """One step of one upgrade."""

    key: Step
    label: str
    standing: StepStanding


def steps_of(options: UpgradeOptions, *, migration: bool, admin: bool) -> tuple[UpgradeStep, ...]:
    """List the steps that an upgrade has: what was not chosen, or is not needed, is none of them."""
    left_out = {
        Step.BACKUP: not options.backup,
        Step.MIGRATION: not migration,
        Step.ADMIN: not admin,
        Step.HANDOVER: not admin,
        Step.CONFIG_CHECK: not options.config_check,
    }
    return tuple(step for step in STEPS if not left_out.get(step.step, False))


def steps_as_they_stand(transition: Transition, context: UpgradeContext) -> tuple[StepView, ...]:
    """Say of each step of an upgrade whether it is settled, or the one that is next."""
    steps = steps_of(context.options, migration=context.migration_required, admin=transition.admin_alignment_required)
    settled = [_is_settled(step, transition, context) for step in steps]
    upcoming = settled.index(False) if False in settled else len(steps)
    return tuple(
        StepView(key=step.step, label=step.label, standing=_standing(number, upcoming, done=settled[number]))
        for number, step in enumerate(steps)
    )


def _standing(number: int, upcoming: int, *, done: bool) -> StepStanding:
    if done:
        return StepStanding.SETTLED
    return StepStanding.NEXT if number == upcoming else StepStanding.OPEN


def _is_settled(step: UpgradeStep, transition: Transition, context: UpgradeContext) -> bool:
    match step.step:
        case Step.BACKUP:
            return context.backup_completed
        case Step.MIGRATION:
            return context.migration_completed
        case _:
            return step.at is None or WALK.index(step.at) < WALK.index(_stands_at(transition))


def _stands_at(transition: Transition) -> Stage:
    """Where the operation goes on: a failed one where it resumes, a cancelled one where nothing is known to be done."""
    stage = transition.resume_stage or transition.stage
    return stage if stage in WALK else WALK[0]
