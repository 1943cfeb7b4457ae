"""The retry edge of an operation, back to the stage at which it failed, and what is then to be done.

Source: `site.md` 3 (retry); `http.md` 5.5; `replacement.md` 7.2, 7.6.
"""

from __future__ import annotations

from ems_admin.machines.alignment.facts import RETRY
from ems_admin.machines.alignment.outlook import ResumeStep, place_of, resume_step
from ems_admin.machines.kernel import Refused
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError


async def retry(house: House, caller: Caller, transition: Transition) -> Transition:
    """Take the retry edge. Raises `RefusalError` with `expired`, `not_resumable` or what the updater stands for."""
    return await house.records.transition.decide(RETRY, await standing.retry_facts(house, transition), caller)


async def may_retry(house: House, transition: Transition) -> None:
    """Ask whether the retry edge would be taken, and move nothing. Raises `RefusalError`."""
    decision = SYSTEM_ALIGNMENT.decide(transition, RETRY, await standing.retry_facts(house, transition))
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)


async def forward(house: House, caller: Caller, transition: Transition) -> tuple[Transition, ResumeStep]:
    """Take the retry edge if there is one to take here, and say what is then to be done. Raises `RefusalError`.

    A replacement is prepared while its operation is still failed: its own edge is only asked for here.
    """
    place = place_of(transition, standing.running_admin(house))
    match resume_step(transition, place):
        case ResumeStep.RETRY:
            transition = await retry(house, caller, transition)
            return transition, resume_step(transition, place)
        case ResumeStep.RETRY_ADMIN_UPDATE:
            await may_retry(house, transition)
            return transition, ResumeStep.RETRY_ADMIN_UPDATE
        case step:
            return transition, step
