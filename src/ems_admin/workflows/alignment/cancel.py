"""Cancelling an operation: its own guards decide whether now is a safe moment.

Source: `site.md` 3 (Cancel refuses); `seed 000` 5.3.
"""

from __future__ import annotations

from ems_admin.machines.alignment.facts import CANCEL
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House


async def cancel(house: House, caller: Caller, transition: Transition, entry: WorkEntry | None) -> Transition:
    """Cancel `transition`; `entry` is the caller's own claim, which is nobody else's work. Raises `RefusalError`."""
    facts = await standing.cancel_facts(house, transition, own_claim=entry.id if entry else None)
    return await house.records.transition.decide(CANCEL, facts, caller)
