"""A one-shot confirmation: this session said yes to this act, for this workflow, on this installation.

It lives in memory and dies with the process; whoever held one confirms again. Time is the boottime clock alone, so that
no step of the wall clock ends or revives a confirmation (`faults.md` D6).

Source: `site.md` 1.13, `seed 000` 5.5 (*Setup intents are workflow-bound*).
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import HOLDS, Beginning, Edge, Machine, Regions, Trigger, guard

LIFETIME: Final = timedelta(seconds=1200)
TOMBSTONE: Final = timedelta(seconds=300)
"""How long one that is over still says why. After that its id is unknown, like any other."""
CAPACITY: Final = 128
"""How many the store keeps; the oldest goes first."""
SETUP_NEW: Final = "setup_new"
"""The act that is confirmed on the start path. An intent for one act is none for another."""


class IntentState(StrEnum):
    """Whether the confirmation may still be used, and if not, why."""

    ISSUED = "issued"
    CONSUMED = "consumed"
    RETIRED = "retired"
    EXPIRED = "expired"


@frozen(kw_only=True)
class SetupIntent:
    """The record, one an intent."""

    intent_id: str
    bearer: str
    """Id of the session or of the token that confirmed."""
    workflow_id: str
    action: str
    installation_fingerprint: str
    state: IntentState
    issued_at: timedelta
    """Boottime, like every time here."""
    ended_at: timedelta | None


@frozen(kw_only=True)
class IssueFacts:
    """What is confirmed. The fingerprint is `None` when a file of the installation could not be read."""

    boottime: timedelta
    intent_id: str
    bearer: str
    workflow_id: str
    action: str
    installation_fingerprint: str | None


@frozen(kw_only=True)
class ClaimFacts:
    """Who uses the confirmation, for what, and the installation as it is now."""

    boottime: timedelta
    bearer: str
    workflow_id: str
    action: str
    installation_fingerprint: str | None


@frozen(kw_only=True)
class RetireFacts:
    """The workflow has ended."""

    boottime: timedelta


ISSUE_INTENT: Final = Trigger("issue_intent", IssueFacts)
VALIDATE_INTENT: Final = Trigger("validate_intent", ClaimFacts)
CLAIM_INTENT: Final = Trigger("claim_intent", ClaimFacts)
RETIRE_INTENT: Final = Trigger("retire_intent", RetireFacts)


@guard(Code.SETUP_STATE_CHANGED)
def installation_is_readable(_predecessor: SetupIntent | None, facts: IssueFacts) -> bool:
    """Everything that the confirmation is about could be read."""
    return facts.installation_fingerprint is not None


class Bearing(StrEnum):
    """Whether the confirmation is the one that this caller may use here."""

    EXACT = "exact"
    OTHER_BEARER = "other_bearer"
    OTHER_ACTION = "other_action"


@guard(
    {
        Bearing.EXACT: HOLDS,
        Bearing.OTHER_BEARER: Code.SETUP_INTENT_REQUIRED,
        Bearing.OTHER_ACTION: Code.SETUP_INTENT_REQUIRED,
    }
)
def intent_is_ones_own(record: SetupIntent, facts: ClaimFacts) -> Bearing:
    """This session or token confirmed this very act: what somebody else confirmed counts as nothing."""
    if facts.bearer != record.bearer:
        return Bearing.OTHER_BEARER
    return Bearing.EXACT if facts.action == record.action else Bearing.OTHER_ACTION


@guard(Code.SETUP_INTENT_EXPIRED)
def intent_is_fresh(record: SetupIntent, facts: ClaimFacts) -> bool:
    """The confirmation is younger than its lifetime."""
    return facts.boottime - record.issued_at < LIFETIME


@guard(Code.SETUP_INTENT_WORKFLOW_MISMATCH)
def intent_is_for_the_workflow(record: SetupIntent, facts: ClaimFacts) -> bool:
    """The confirmation was given for this very workflow."""
    return facts.workflow_id == record.workflow_id


@guard(Code.SETUP_STATE_CHANGED)
def installation_is_as_confirmed(record: SetupIntent, facts: ClaimFacts) -> bool:
    """The installation is, readably, still the one that was confirmed."""
    return facts.installation_fingerprint == record.installation_fingerprint


def issue(facts: IssueFacts) -> SetupIntent:
    """Create the confirmation. A guard has seen to it that there is a fingerprint."""
    return SetupIntent(
        intent_id=facts.intent_id,
        bearer=facts.bearer,
        workflow_id=facts.workflow_id,
        action=facts.action,
        installation_fingerprint=facts.installation_fingerprint or "",
        state=IntentState.ISSUED,
        issued_at=facts.boottime,
        ended_at=None,
    )


def end(record: SetupIntent, facts: ClaimFacts | RetireFacts) -> SetupIntent:
    """Note when it came to its end: its tombstone is counted from there."""
    return evolve(record, ended_at=facts.boottime)


def is_forgotten(record: SetupIntent, boottime: timedelta) -> bool:
    """Say whether the store drops the record: its tombstone has stood long enough, or nobody ever came for it."""
    ended = record.issued_at + LIFETIME if record.ended_at is None else record.ended_at
    return boottime - ended >= TOMBSTONE


ISSUED, CONSUMED = IntentState.ISSUED, IntentState.CONSUMED
RETIRED, EXPIRED = IntentState.RETIRED, IntentState.EXPIRED

OWN: Final = (intent_is_ones_own,)
FRESH: Final = (intent_is_fresh,)
GOOD: Final = (*OWN, *FRESH, intent_is_for_the_workflow, installation_is_as_confirmed)
TOO_LATE: Final = Code.SETUP_INTENT_EXPIRED
WHY_OVER: Final = {
    CONSUMED: Code.SETUP_INTENT_CONSUMED,
    RETIRED: Code.SETUP_INTENT_WORKFLOW_MISMATCH,
    EXPIRED: Code.SETUP_INTENT_EXPIRED,
}

# A refusal leaves the confirmation unspent, except that an old one is old for good.
INTENT: Final = Machine[SetupIntent, IntentState](
    name="setup_intent",
    states=IntentState,
    reads=lambda record: record.state,
    writes=lambda record, state: evolve(record, state=state),
    initial=(ISSUED,),
    final=(CONSUMED, RETIRED, EXPIRED),
    codes=Code,
    edges=(
        Edge(VALIDATE_INTENT, ISSUED, ISSUED, guards=GOOD),
        Edge(VALIDATE_INTENT, ISSUED, EXPIRED, guards=OWN, unless=FRESH, assigns=end, answers=TOO_LATE),
        Edge(CLAIM_INTENT, ISSUED, CONSUMED, guards=GOOD, assigns=end),
        Edge(CLAIM_INTENT, ISSUED, EXPIRED, guards=OWN, unless=FRESH, assigns=end, answers=TOO_LATE),
        Edge(RETIRE_INTENT, ISSUED, RETIRED, assigns=end),
        *(Edge(RETIRE_INTENT, over, over) for over in (CONSUMED, RETIRED, EXPIRED)),
    ),
    otherwise={VALIDATE_INTENT: WHY_OVER, CLAIM_INTENT: WHY_OVER},
)

SETUP_INTENT: Final = Regions[SetupIntent](
    name="setup_intent",
    begins=Beginning(
        ISSUE_INTENT, guards=(installation_is_readable,), creates=issue, otherwise=Code.SETUP_INTENT_CONSUMED
    ),
    absent=Code.SETUP_INTENT_REQUIRED,
    machines=(INTENT,),
)
