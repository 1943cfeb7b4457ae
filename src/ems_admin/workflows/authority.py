"""The authority row of a route, executed: what a request must prove, in which order, and what it holds meanwhile.

The route table names the row, the docs draw it, and the one function here walks it. Every demand is acquired in the
declared order and released when the request ends, unless a worker takes the claim over.
Source: `seed 000` 2.4, 5.4, 5.5; `site.md` 1.12.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Final, TypeAlias

from attrs import define, field, frozen

from ems_admin.machines.alignment.outlook import resources_are_ready
from ems_admin.machines.codes import Code
from ems_admin.machines.composition.gates import write_refusal
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.claims import transition_claim
from ems_admin.machines.records.reading import Present, Unreadable
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.authority import authority_refusal
from ems_admin.machines.setup.facts import PROVE_OWNERSHIP
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import installation_fingerprint
from ems_admin.workflows.ports.records import RefusalError


class Demand(StrEnum):
    """One thing that a request has to prove or to hold."""

    WORKFLOW = "workflow"
    """It names the one active Guided Setup."""
    NOT_ENDING = "not_ending"
    """Nothing is being ended right now."""
    ADMIN_STAYS = "admin_stays"
    """This Admin is not being handed over to another one."""
    CLAIM = "claim"
    """It holds the site for its kind of work; what was demanded before is then read again."""
    OWNERSHIP = "ownership"
    """The live transition, if any, is the workflow's own."""
    INTENT = "intent"
    """It uses up the confirmation that this session gave for this workflow."""
    PREVIEW = "preview"
    """Checks 02 to 05 of the exact preview."""
    RESOURCES = "resources"
    """The workflow's own transition stands where an EMS may be prepared or started."""
    TARGET = "target"
    """Nothing is overwritten that the person did not agree to."""
    ARTIFACT = "artifact"
    """The generated config, or the marker, is this workflow's."""
    OPERATION = "operation"
    """It names the exact operation."""
    CONFIRMATION = "confirmation"
    """The person said yes in the request itself."""
    PLAN = "plan"
    """What was agreed to is what would be done now."""
    NO_TRANSITION = "no_transition"
    """No operation is under way that was begun with the config and the containers as they are."""


@frozen(kw_only=True)
class AuthorityRow:
    """What one route demands, in the order of the checks."""

    demands: tuple[Demand, ...]
    claim: WorkKind | None = None
    mends: frozenset[Code] = frozenset()
    """Verdicts about the directories that this very route is there to cure."""


Check: TypeAlias = "Callable[[Hold], Awaitable[None]]"


@define(kw_only=True, eq=False)
class Hold:
    """What a request holds. Mutable: it is filled demand by demand, and emptied at the end."""

    house: House
    caller: Caller
    row: AuthorityRow
    workflow_id: str | None
    intent_id: str | None = None
    request_hash: str | None = None
    checks: Mapping[Demand, Check] = field(factory=dict, repr=False)
    stored: GuidedSetup | None = None
    entry: WorkEntry | None = None
    joined: bool = False
    """The very same request runs already: its job is the answer."""
    transition: Transition | None = None
    handed_over: bool = False

    @property
    def setup(self) -> GuidedSetup:
        """B0 as it was last read, under the claim if there is one."""
        if self.stored is None:
            raise RefusalError(Refusal(Code.SETUP_WORKFLOW_REQUIRED))
        return self.stored

    @property
    def work(self) -> WorkEntry:
        """The entry that is held."""
        if self.entry is None:
            raise LookupError("the row of this route claims nothing")
        return self.entry

    @property
    def operation(self) -> Transition:
        """B1 as it was last read."""
        if self.transition is None:
            raise LookupError("the operation is asked for before it is acted on")
        return self.transition

    def hand_over(self) -> Callable[[], None]:
        """Give the claim to a worker: it outlives the answer, and the worker calls what is given back."""
        entry, self.handed_over = self.work, True
        return lambda: self.house.work.release(entry.id)


async def workflow_is_named(hold: Hold) -> None:
    """Read B0 and hold it against the id that the request names."""
    hold.stored = await hold.house.records.setup.current()
    if refusal := authority_refusal(hold.stored, hold.workflow_id):
        raise RefusalError(refusal)


async def nothing_is_ending(hold: Hold) -> None:
    """Look whether something is being ended."""
    if hold.house.work.is_ending:
        raise RefusalError(Refusal(Code.SETUP_WORKFLOW_NOT_ACTIVE))


async def site_is_claimed(hold: Hold) -> None:
    """Claim the site, then ask again what was asked before: it may be over by now."""
    kind = hold.row.claim
    if kind is None:
        raise LookupError("the row of this route names no kind of work")
    named = hold.transition or hold.stored
    operation_id = named.operation_id if named else None
    claimed = hold.house.work.begin(
        kind, workflow_id=hold.workflow_id, operation_id=operation_id, request_hash=hold.request_hash
    )
    hold.entry, hold.joined = claimed.entry, claimed.joined
    if not hold.joined:
        for demand in hold.row.demands[: hold.row.demands.index(Demand.CLAIM)]:
            await hold.checks[demand](hold)


async def transition_is_owned(hold: Hold) -> None:
    """Prove that the live transition is the one that the workflow names."""
    facts = await standing.transition_facts(hold.house, hold.workflow_id)
    hold.stored = await hold.house.records.setup.decide(PROVE_OWNERSHIP, facts, hold.caller)


async def intent_is_claimed(hold: Hold) -> None:
    """Use the confirmation up: only now, so that every refusal before leaves it unspent."""
    installation = await installation_fingerprint(hold.house)
    await hold.house.intents.claim(
        hold.caller, hold.intent_id, workflow_id=hold.setup.workflow_id, installation=installation
    )


async def resources_are_verified(hold: Hold) -> None:
    """Find the own transition at one of the two stages that allow it (`site.md` 1.12)."""
    hold.transition = await standing.own_transition(hold.house, hold.setup)
    if hold.transition is None or not resources_are_ready(hold.transition):
        raise RefusalError(Refusal(Code.SYSTEM_ALIGNMENT_INCOMPLETE))


async def no_transition_is_pending(hold: Hold) -> None:
    """Wait for any operation that is not over, whatever its mode or age (`seed 000` 3.1)."""
    reading = await hold.house.records.transition.read()
    if isinstance(reading, Unreadable):
        claim, stands = transition_claim(standing.read_error(reading)), str(standing.read_error(reading))
    else:
        transition = reading.record if isinstance(reading, Present) else None
        claim, stands = transition_claim(transition), str(transition.stage) if transition else ""
    if refusal := write_refusal(claim):
        raise RefusalError(refusal.with_detail(stands))


def person_agreed(*, confirm: bool) -> Check:
    """Make the check of what the person says in the request itself."""

    async def person_agrees(_hold: Hold) -> None:
        """Look whether the person said yes."""
        if not confirm:
            raise RefusalError(Refusal(Code.CONFIRMATION_REQUIRED))

    return person_agrees


CHECKS: Final[Mapping[Demand, Check]] = {
    Demand.WORKFLOW: workflow_is_named,
    Demand.NOT_ENDING: nothing_is_ending,
    Demand.ADMIN_STAYS: lambda hold: standing.require_staying(hold.house),
    Demand.CLAIM: site_is_claimed,
    Demand.OWNERSHIP: transition_is_owned,
    Demand.INTENT: intent_is_claimed,
    Demand.RESOURCES: resources_are_verified,
    Demand.NO_TRANSITION: no_transition_is_pending,
}
"""What every route checks alike; the others are checks of one route, which gives them itself."""


@asynccontextmanager
async def under(  # noqa: PLR0913  # what a request may present
    house: House,
    caller: Caller,
    row: AuthorityRow,
    *,
    workflow_id: str | None,
    intent_id: str | None = None,
    request_hash: str | None = None,
    own: Mapping[Demand, Check] | None = None,
) -> AsyncIterator[Hold]:
    """Acquire every demand of `row` in its order, and release the claim at the end. Raises `RefusalError`.

    A request that joins running work acquires nothing more: `hold.joined` is then true.
    """
    await standing.require_mutable(house, mends=row.mends)
    hold = Hold(
        house=house,
        caller=caller,
        row=row,
        workflow_id=workflow_id,
        intent_id=intent_id,
        request_hash=request_hash,
        checks={**CHECKS, **(own or {})},
    )
    try:
        for demand in row.demands:
            await hold.checks[demand](hold)
            if hold.joined:
                break
        yield hold
    finally:
        if hold.entry is not None and not (hold.joined or hold.handed_over):
            house.work.release(hold.entry.id)
