"""The retry edge of an operation: back to the stage at which it failed.

Source: `site.md` 3 (retry).
"""

from __future__ import annotations

from ems_admin.machines.alignment.facts import RETRY, RetryFacts
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House


async def retry(house: House, caller: Caller, transition: Transition) -> Transition:
    """Take the retry edge. Raises `RefusalError` with `expired`, `not_resumable` or what the updater stands for."""
    facts = RetryFacts(
        now=house.clock.now(),
        operation_id=transition.operation_id,
        expiry=standing.expiry(house, transition),
        updater=await standing.updater(house, transition.operation_id),
    )
    return await house.records.transition.decide(RETRY, facts, caller)
