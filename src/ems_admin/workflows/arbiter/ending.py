"""Ending what owns the console, by whoever ends it on any other day: switch and safe recovery do nothing of their own.

Everything here happens under a terminal entry that the caller holds. Source: `seed 000` 7.3, 7.4; `site.md` 2.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.outlook import is_terminal
from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.lifecycle.claims import SetupClaim
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.authority import abandoning
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.cancelling import cancel_operation
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.situation import Situation
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup import ending


@asynccontextmanager
async def site_alone(house: House, kind: WorkKind, at: Situation) -> AsyncIterator[WorkEntry]:
    """Hold the site alone, to end what `at` shows. Raises `RefusalError` with the arbiter's own code."""
    setup, live = at.reads.setup_record, at.live
    entry = house.work.begin_termination(
        kind,
        workflow_id=setup.workflow_id if setup else None,
        operation_id=live.operation_id if live else None,
        expired=_expired(house, at),
    )
    try:
        yield entry
    finally:
        house.work.release(entry.id)


def against_site_alone(house: House, kind: WorkKind, at: Situation) -> Refusal | None:
    """Say what stands against holding the site alone, and take nothing."""
    operation_id = at.live.operation_id if at.live else None
    return house.work.against_ending(kind, operation_id=operation_id, expired=_expired(house, at))


async def end_setup(house: House, caller: Caller, entry: WorkEntry, at: Situation) -> None:
    """End the Setup as its own abandon does; where only its operation is left, that. Raises `RefusalError`."""
    setup = at.reads.setup_record
    if setup is None or at.setup is SetupClaim.NONE:
        await end_operation(house, caller, entry)
        return
    trigger = abandoning(setup)
    decision = GUIDED_SETUP.decide(setup, trigger, await standing.transition_facts(house, setup.workflow_id))
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)
    await ending.end(house, caller, entry, trigger, setup)


async def end_operation(house: House, caller: Caller, entry: WorkEntry) -> None:
    """Cancel the operation that is not over, and clear what its upgrade had settled. Raises `RefusalError`."""
    transition = await house.records.transition.current()
    if transition is not None and not is_terminal(transition):
        await cancel_operation(house, caller, transition, entry)


def _expired(house: House, at: Situation) -> bool:
    return at.live is not None and standing.expiry(house, at.live) is not Expiry.FRESH
