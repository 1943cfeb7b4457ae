"""What the records claim, together with what runs and what the engine shows: the facts of switch and recovery.

Nothing is decided here, and nothing is changed. Source: `seed 000` 7.1, 7.4.1, 7.6.
"""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.alignment.facts import Updater
from ems_admin.machines.alignment.outlook import cancel_available, is_terminal
from ems_admin.machines.cleanup import review_is_stranded
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim, setup_claim, transition_claim
from ems_admin.machines.lifecycle.recovery import Cancel, Context, OpenCommit
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.setup import NO_ARTIFACTS, GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.setup.facts import Ownership, TransitionFacts, live_transition, transition_is_owned
from ems_admin.machines.workflow_lifecycle import Running
from ems_admin.workflows import standing
from ems_admin.workflows.config.settlement import refuse_unprovable
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.reading import Reads
from ems_admin.workflows.rehearsal import refusal_of
from ems_admin.workflows.sight import stray_updater


@frozen(kw_only=True)
class Situation:
    """One reading of the records, and what can be said of it now."""

    reads: Reads
    setup: SetupClaim
    transition: TransitionClaim
    running: Running
    ownership: Ownership
    cancel: Cancel
    context: Context
    updater: Updater
    """The updater that the dispatch record names, or that was never started, while B1 names no operation."""
    commit: OpenCommit

    @property
    def live(self) -> Transition | None:
        """The operation that is not over, if there is a readable one."""
        record = self.reads.transition_record
        return None if record is None or is_terminal(record) else record


async def situation(house: House, reads: Reads, *, own_claim: str | None = None) -> Situation:
    """Gather what is asked of the records and of the engine; `own_claim` is the caller's own entry of work."""
    running = await _running(house, reads.transition, own_claim)
    return Situation(
        reads=reads,
        setup=_setup_claim(reads.setup),
        transition=_transition_claim(reads.transition),
        running=running,
        ownership=_ownership(house, reads),
        cancel=Cancel.REFUSED if running is Running.BEYOND_CANCEL else Cancel.POSSIBLE,
        context=_context(reads),
        updater=await stray_updater(house, reads.transition, reads.dispatch),
        commit=await _commit(house, reads),
    )


def _setup_claim(reading: Reading[GuidedSetup]) -> SetupClaim:
    if isinstance(reading, Unreadable):
        return SetupClaim.UNREADABLE
    record = reading.record if isinstance(reading, Present) else None
    if record is not None and record.artifacts == NO_ARTIFACTS and _only_stranded(record):
        return SetupClaim.NONE
    return setup_claim(record)


def _only_stranded(record: GuidedSetup) -> bool:
    """Say whether a review names only what no workflow can own without a claim: stale bookkeeping (`seed 000` 5.3)."""
    return setup_claim(record) is SetupClaim.REVIEW_REQUIRED and review_is_stranded.refusal(record, None) is None


def _transition_claim(reading: Reading[Transition]) -> TransitionClaim:
    if isinstance(reading, Unreadable):
        return transition_claim(standing.read_error(reading))
    return transition_claim(reading.record if isinstance(reading, Present) else None)


async def _running(house: House, reading: Reading[Transition], own_claim: str | None) -> Running:
    if house.work.setup_mutation_runs:
        return Running.SETUP_MUTATION
    if not isinstance(reading, Present) or is_terminal(reading.record):
        return Running.NOTHING
    facts = await standing.cancel_facts(house, reading.record, own_claim=own_claim)
    return Running.NOTHING if cancel_available(reading.record, facts) else Running.BEYOND_CANCEL


def _ownership(house: House, reads: Reads) -> Ownership:
    if not isinstance(reads.setup, Present) or not isinstance(reads.transition, Present | Absent):
        return Ownership.NONE
    transition = reads.transition_record
    facts = TransitionFacts(
        now=house.clock.now(),
        workflow_id=reads.setup.record.workflow_id,
        transition=live_transition(transition),
        live_operation_id=transition.operation_id if transition else None,
    )
    return Ownership(str(transition_is_owned.check(reads.setup.record, facts)))


def _context(reads: Reads) -> Context:
    match reads.upgrade:
        case Absent():
            return Context.NONE
        case Unreadable():
            return Context.UNREADABLE if reads.upgrade_identity is None else Context.UNUSABLE
        case Present(record=context):
            live = reads.transition_record
            owned = live is not None and not is_terminal(live) and live.operation_id == context.operation_id
            return Context.OF_THE_OPERATION if owned else Context.ORPHANED


async def _commit(house: House, reads: Reads) -> OpenCommit:
    if not isinstance(reads.config_commit, Present):
        return OpenCommit.NONE
    return OpenCommit.UNPROVABLE if await refusal_of(refuse_unprovable(house)) else OpenCommit.PROVABLE
