"""What a record promised of this process, performed after it is durable.

Effects on files are steps of a seam, and stand with the workflow that walks it.
"""

from __future__ import annotations

from ems_admin.machines.guided_setup import RetireIntents
from ems_admin.machines.kernel import Effect
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House


async def perform(house: House, caller: Caller, effects: tuple[Effect, ...]) -> None:
    """Perform what lives in memory: no confirmation outlives its workflow."""
    for effect in effects:
        if isinstance(effect, RetireIntents):
            await house.intents.retire(caller, workflow_id=effect.workflow_id)
