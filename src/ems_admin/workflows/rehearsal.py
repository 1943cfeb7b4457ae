"""A row rehearsed: every demand is asked in its order, as a request would meet it, and nothing is taken or told.

The checks of the routes themselves are used wherever they only read. What a route takes, a claim or a
confirmation, is asked for in its place here. Source: `seed 000` 2.4; `http.md` 5.3 (GET /api/admin/console).
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Final

from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.setup.facts import PROVE_OWNERSHIP
from ems_admin.workflows import standing
from ems_admin.workflows.authority import CHECKS, AuthorityRow, Check, Demand, Hold
from ems_admin.workflows.caller import THE_HOUSE
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError


async def refusal_of(asking: Awaitable[object]) -> Refusal | None:
    """Give the refusal that a sequence of checks ends with; `None` when it comes through."""
    try:
        await asking
    except RefusalError as refused:
        return refused.refusal
    return None


async def rehearse(
    house: House, row: AuthorityRow, workflow_id: str | None, *, own: Mapping[Demand, Check] | None = None
) -> None:
    """Ask every demand of `row`. Raises `RefusalError` with what a request would meet first."""
    await standing.require_mutable(house, mends=row.mends)
    hold = Hold(house=house, caller=THE_HOUSE, row=row, workflow_id=workflow_id)
    checks = {**CHECKS, **INSTEAD, **(own or {})}
    for demand in row.demands:
        await checks[demand](hold)


async def site_is_free(hold: Hold) -> None:
    """Ask the arbiter whether it would let this work begin."""
    if hold.row.claim and (refusal := hold.house.work.against(hold.row.claim)):
        raise RefusalError(refusal)


async def transition_is_owned(hold: Hold) -> None:
    """Ask whose the live transition is, without a line in the journal."""
    facts = await standing.transition_facts(hold.house, hold.workflow_id)
    decision = GUIDED_SETUP.decide(hold.setup, PROVE_OWNERSHIP, facts)
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)


async def nothing_is_asked(hold: Hold) -> None:
    """Pass over what the person gives only in the request itself."""


INSTEAD: Final[Mapping[Demand, Check]] = {
    Demand.CLAIM: site_is_free,
    Demand.OWNERSHIP: transition_is_owned,
    Demand.INTENT: nothing_is_asked,
    Demand.TARGET: nothing_is_asked,
}
