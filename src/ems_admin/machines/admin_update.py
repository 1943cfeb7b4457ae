"""A planned update of the Admin alone (B7), and the operation that carries it out.

The plan has no dispatch, no updater and no resume of its own: it uses those of B1. It names the operation before that
operation begins; one that never came into being leaves the plan as it was.

Source: `site.md` 2, 4 (B7), 9; `http.md` 5.3.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import HOLDS, Beginning, Edge, Machine, Regions, Trigger, always, guard
from ems_admin.machines.records.transition import AdminIdentity, Stage, Transition
from ems_admin.machines.records.upgrade import AdminUpdateReason, AdminUpdateState, PendingAdminUpdate, SeenAdmin

FORMAT: Final = 1
OVER: Final = frozenset({Stage.COMPLETED, Stage.CANCELLED})


class Operation(StrEnum):
    """What B1 says of the operation that a plan names."""

    LIVE = "live"
    LAPSED = "lapsed"
    """Proven expired, and nobody works on it: whoever carries the plan out ends it first."""
    OVER = "over"
    """Terminal, or replaced by a later one."""
    NEVER_BEGAN = "never_began"
    UNKNOWN = "unknown"
    """B1 cannot be read."""


class PlanInTheWay(StrEnum):
    """Whether the plan on record gives way to a new one."""

    NONE = "none"
    CARRIED_OUT = "carried_out"
    UNREADABLE = "unreadable"


@frozen(kw_only=True)
class PlanFacts:
    """A new plan, and what became of the one before."""

    now: datetime
    plan_id: str
    target_system_tag: str
    current_admin: SeenAdmin
    target_admin: AdminIdentity
    reason: AdminUpdateReason
    earlier_operation: Operation
    """Of the plan on record; of no meaning while that one is merely planned."""


@frozen(kw_only=True)
class StartFacts:
    """An operator confirms a plan."""

    now: datetime
    plan_id: str
    operation_id: str
    """Of the operation that is about to begin."""
    runs_target_already: bool
    """Whether the running Admin has become the target meanwhile."""
    named_operation: Operation
    """Of the plan on record; of no meaning while that one is merely planned."""


@frozen(kw_only=True)
class TakeBackFacts:
    """What B1 says after a beginning that may have been cut."""

    now: datetime
    operation_id: str
    operation: Operation


PLAN: Final = Trigger("plan", PlanFacts)
START: Final = Trigger("start", StartFacts)
TAKE_BACK: Final = Trigger("take_back", TakeBackFacts)


@guard(
    {
        PlanInTheWay.NONE: HOLDS,
        PlanInTheWay.CARRIED_OUT: Code.TRANSITION_ACTIVE,
        PlanInTheWay.UNREADABLE: Code.TRANSITION_STATUS_UNAVAILABLE,
    }
)
def earlier_plan_gives_way(predecessor: PendingAdminUpdate | None, facts: PlanFacts) -> PlanInTheWay:
    """The earlier plan is not being carried out: it is merely planned, or its operation is over, or as good as that."""
    if predecessor is None or predecessor.state is AdminUpdateState.PLANNED:
        return PlanInTheWay.NONE
    in_the_way = {Operation.LIVE: PlanInTheWay.CARRIED_OUT, Operation.UNKNOWN: PlanInTheWay.UNREADABLE}
    return in_the_way.get(facts.earlier_operation, PlanInTheWay.NONE)


@guard(Code.PLAN_UNKNOWN)
def plan_is_exact(record: PendingAdminUpdate, facts: StartFacts) -> bool:
    """The plan that is confirmed is the one on record."""
    return record.plan_id == facts.plan_id


@guard(Code.ADMIN_UPDATE_NOT_REQUIRED)
def update_is_required(_record: PendingAdminUpdate, facts: StartFacts) -> bool:
    """The running Admin is not the target already."""
    return not facts.runs_target_already


class Named(StrEnum):
    """What stands against starting a plan that names an operation already."""

    SAME = "same"
    NEVER_BEGAN = "never_began"
    LAPSED = "lapsed"
    LIVE = "live"
    OVER = "over"
    UNKNOWN = "unknown"


@guard(
    {
        Named.SAME: HOLDS,
        Named.NEVER_BEGAN: HOLDS,
        Named.LAPSED: HOLDS,
        Named.LIVE: Code.TRANSITION_ACTIVE,
        Named.OVER: Code.PLAN_UNKNOWN,
        Named.UNKNOWN: Code.TRANSITION_STATUS_UNAVAILABLE,
    }
)
def plan_is_unspent(record: PendingAdminUpdate, facts: StartFacts) -> Named:
    """The plan names this very operation, or one that never began or has lapsed. What is over has spent its plan."""
    return Named.SAME if record.operation_id == facts.operation_id else Named(facts.named_operation)


@guard(Code.OPERATION_MISMATCH)
def operation_is_named(record: PendingAdminUpdate, facts: TakeBackFacts) -> bool:
    """The operation is the one that the plan names."""
    return record.operation_id == facts.operation_id


@guard(
    {
        Operation.NEVER_BEGAN: HOLDS,
        Operation.LIVE: Code.TRANSITION_ACTIVE,
        Operation.LAPSED: Code.TRANSITION_ACTIVE,
        Operation.OVER: Code.INVALID_TRANSITION,
        Operation.UNKNOWN: Code.TRANSITION_STATUS_UNAVAILABLE,
    }
)
def operation_never_began(_record: PendingAdminUpdate, facts: TakeBackFacts) -> Operation:
    """The operation is proven never to have come into being."""
    return facts.operation


def plan(facts: PlanFacts) -> PendingAdminUpdate:
    """Create a plan."""
    return PendingAdminUpdate(
        format_version=FORMAT,
        plan_id=facts.plan_id,
        state=AdminUpdateState.PLANNED,
        target_system_tag=facts.target_system_tag,
        current_admin=facts.current_admin,
        target_admin=facts.target_admin,
        reason=facts.reason,
        operation_id=None,
        created_at=facts.now,
        updated_at=facts.now,
    )


def name_operation(record: PendingAdminUpdate, facts: StartFacts) -> PendingAdminUpdate:
    """Name the operation before it begins: one that nobody planned must never come into being."""
    if record.operation_id == facts.operation_id:
        return record
    return evolve(record, operation_id=facts.operation_id, updated_at=max(record.updated_at, facts.now))


def forget_operation(record: PendingAdminUpdate, facts: TakeBackFacts) -> PendingAdminUpdate:
    """Drop the name of an operation that does not exist."""
    return evolve(record, operation_id=None, updated_at=max(record.updated_at, facts.now))


def operation_of(plan: PendingAdminUpdate, transition: Transition | None, *, lapsed: bool) -> Operation:
    """Say what a readable B1, or its absence, tells of the operation that a started plan names.

    `lapsed` says that the operation in B1 is proven expired and that nobody works on it.

    B1 keeps an operation until the next one begins. So an older one that still stands there was never replaced, and
    the named one never began; a later one has taken its place.
    """
    if transition is None:
        return Operation.NEVER_BEGAN
    if transition.operation_id != plan.operation_id:
        return Operation.OVER if transition.created_at > plan.updated_at else Operation.NEVER_BEGAN
    if transition.stage in OVER:
        return Operation.OVER
    return Operation.LAPSED if lapsed else Operation.LIVE


PLANNED, STARTED = AdminUpdateState.PLANNED, AdminUpdateState.STARTED

AFRESH: Final = (plan_is_exact, update_is_required)

UPDATE: Final = Machine[PendingAdminUpdate, AdminUpdateState](
    name="admin_update",
    states=AdminUpdateState,
    reads=lambda record: record.state,
    writes=lambda record, state: evolve(record, state=state),
    initial=(PLANNED,),
    codes=Code,
    edges=(
        Edge(START, PLANNED, STARTED, guards=AFRESH, assigns=name_operation),
        Edge(START, STARTED, STARTED, guards=(*AFRESH, plan_is_unspent), assigns=name_operation),
        Edge(TAKE_BACK, STARTED, PLANNED, guards=(operation_is_named, operation_never_began), assigns=forget_operation),
    ),
    otherwise={TAKE_BACK: Code.INVALID_TRANSITION},
)

ADMIN_UPDATE: Final = Regions[PendingAdminUpdate](
    name="admin_update",
    begins=Beginning(PLAN, guards=(earlier_plan_gives_way,), creates=plan, otherwise=Code.TRANSITION_ACTIVE),
    absent=Code.PLAN_UNKNOWN,
    machines=(UPDATE,),
    # Whether a started plan is over stands in B1: the guard of the beginning asks the facts.
    replaceable=always,
)
