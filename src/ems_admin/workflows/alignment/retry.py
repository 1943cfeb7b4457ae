"""The retry edge of an operation, back to the stage at which it failed, and what is then to be done.

Source: `site.md` 3 (retry); `http.md` 5.5.
"""

from __future__ import annotations

from ems_admin.machines.alignment.facts import RETRY, RetryFacts
from ems_admin.machines.alignment.outlook import ResumeStep, place_of, resume_step
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


async def forward(house: House, caller: Caller, transition: Transition) -> tuple[Transition, ResumeStep]:
    """Take the retry edge if there is one to take, and say what is then to be done. Raises `RefusalError`."""
    place = place_of(transition, standing.running_admin(house))
    step = resume_step(transition, place)
    if step is ResumeStep.RETRY:
        transition = await retry(house, caller, transition)
        step = resume_step(transition, place)
    return transition, step
