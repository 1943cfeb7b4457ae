"""Cancelling an operation: its own guards decide whether now is a safe moment.

One that was handed over is called off under the dispatch lock, so that nobody launches meanwhile; an updater that was
created and never started goes first, and whether a claim or the cancel comes first is decided by the lock of B1.
Source: `site.md` 3 (Cancel refuses); `seed 000` 5.3; `replacement.md` 7.6; `faults.md` F43, D10.
"""

from __future__ import annotations

from attrs import evolve

from ems_admin.machines.alignment.facts import CANCEL, CancelFacts, Updater
from ems_admin.machines.alignment.outlook import is_handed_over
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refused
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.replacement.dispatch import LOCK_WAIT
from ems_admin.workflows.sight import sight


async def cancel(house: House, caller: Caller, transition: Transition, entry: WorkEntry | None) -> Transition:
    """Cancel `transition`; `entry` is the caller's own claim, which is nobody else's work. Raises `RefusalError`."""
    own_claim = entry.id if entry else None
    if is_handed_over(transition):
        async with house.records.dispatch.hold(LOCK_WAIT):
            facts = await _without_unstarted(house, transition, own_claim)
            cancelled = await house.records.transition.decide(CANCEL, facts, caller)
    else:
        facts = await standing.cancel_facts(house, transition, own_claim=own_claim)
        cancelled = await house.records.transition.decide(CANCEL, facts, caller)
    # The evidence of what is over goes; where the engine is silent now, the next look of the Admin removes it.
    await house.launcher.forget(transition.operation_id)
    return cancelled


async def _without_unstarted(house: House, transition: Transition, own_claim: str | None) -> CancelFacts:
    """Remove an updater that was never started, if a cancel would be taken then; what came of it is a fact of its own.

    Without force: the engine keeps one that runs by now, and then the operation is not cancelled either.
    """
    seen = await sight(house, transition)
    facts = await standing.cancel_facts(house, transition, own_claim=own_claim, seen=seen)
    refused = isinstance(SYSTEM_ALIGNMENT.decide(transition, CANCEL, facts), Refused)
    if facts.updater is not Updater.CREATED or refused:
        return facts
    match await house.launcher.discard(transition.operation_id, seen.number):
        case Done():
            return evolve(facts, updater=Updater.INACTIVE)
        case EngineFailure(code=Code.REPLACEMENT_ACTIVE):
            return evolve(facts, updater=Updater.RUNNING)
        case EngineFailure():
            return evolve(facts, updater=Updater.UNKNOWN)
