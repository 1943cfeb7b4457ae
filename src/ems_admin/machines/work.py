"""Running work: the one arbiter of what a site does right now. It lives in memory; a restart holds nothing.

At most one piece of work that can change containers or the live config runs, whatever its kind. The same request is
joined, anything else is refused, and nothing is queued. Whoever ends an operation holds the site alone while it does,
so that nobody can be half-way through what is being ended.

Source: `site.md` 2 (*Running work*), `seed 000` 5.3 (worker rule) and 5.4, `faults.md` F15, F38, F43.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import HOLDS, Beginning, Edge, Machine, Regions, Trigger, guard
from ems_admin.machines.running.entries import NO_WORK, RunningWork, WorkEntry, WorkState, holder, joined, work_state
from ems_admin.machines.running.kinds import SETUP_KINDS, SETUP_MUTATIONS


@frozen(kw_only=True)
class WorkFacts:
    """The work that wants to begin."""

    entry: WorkEntry


@frozen(kw_only=True)
class EndingFacts(WorkFacts):
    """Work that ends something. `entry.operation_id` is the operation that is to be cancelled, if there is one.

    `turns` names an entry that the caller itself holds: it turns into this one. `expired` is what B1 says of itself.
    """

    turns: str | None
    expired: bool


@frozen(kw_only=True)
class StepFacts:
    """A step inside held work, and the operation that it is about."""

    entry_id: str
    operation_id: str


@frozen(kw_only=True)
class ReleaseFacts:
    """The work that has ended, well or badly."""

    entry_id: str


@frozen
class OpeningFacts:
    """A process has opened its site. Nothing needs to be known: whatever ran before it is gone."""


OPEN_SITE: Final = Trigger("open_site", OpeningFacts)
BEGIN_MUTATION: Final = Trigger("begin_mutation", WorkFacts)
BEGIN_TERMINATION: Final = Trigger("begin_termination", EndingFacts)
BEGIN_SIDE_WORK: Final = Trigger("begin_side_work", WorkFacts)
ADD_OPERATION: Final = Trigger("add_operation", StepFacts)
RELEASE: Final = Trigger("release", ReleaseFacts)


class Encounter(StrEnum):
    """What holds the site, as somebody meets it who wants to."""

    SAME_REQUEST = "same_request"
    SETUP_WORK = "setup_work"
    OTHER_WORK = "other_work"


@guard(
    {
        Encounter.SAME_REQUEST: HOLDS,
        Encounter.SETUP_WORK: Code.SETUP_OPERATION_IN_PROGRESS,
        Encounter.OTHER_WORK: Code.WORK_IN_PROGRESS,
    }
)
def request_is_the_same(work: RunningWork, facts: WorkFacts) -> Encounter:
    """What holds the site was begun by the very same request."""
    if joined(work, facts.entry):
        return Encounter.SAME_REQUEST
    return Encounter.SETUP_WORK if _is_setup(holder(work)) else Encounter.OTHER_WORK


class Ending(StrEnum):
    """What is being ended, as a mutation meets it."""

    ONES_OWN_SETUP = "ones_own_setup"
    SETUP = "setup"
    OTHER = "other"


@guard(
    {
        Ending.ONES_OWN_SETUP: Code.SETUP_WORKFLOW_NOT_ACTIVE,
        Ending.SETUP: Code.SETUP_OPERATION_IN_PROGRESS,
        Ending.OTHER: Code.WORK_IN_PROGRESS,
    }
)
def nothing_is_being_ended(work: RunningWork, facts: WorkFacts) -> Ending:
    """Nothing is being ended, so that a mutation may begin; asked where something is, it only says what."""
    if not _is_setup(holder(work)):
        return Ending.OTHER
    return Ending.ONES_OWN_SETUP if facts.entry.kind in SETUP_MUTATIONS else Ending.SETUP


class Hold(StrEnum):
    """Whose work holds the site, as somebody meets it who wants to end something."""

    OWN = "own"
    SETUP_WORK = "setup_work"
    WORKER = "worker"
    WORKER_OF_EXPIRED = "worker_of_expired"
    OTHER_WORK = "other_work"


@guard(
    {
        Hold.OWN: HOLDS,
        Hold.SETUP_WORK: Code.SETUP_OPERATION_IN_PROGRESS,
        Hold.WORKER: Code.MUTATION_IN_PROGRESS,
        Hold.WORKER_OF_EXPIRED: Code.TRANSITION_WORKER_ACTIVE,
        Hold.OTHER_WORK: Code.WORK_IN_PROGRESS,
    }
)
def work_is_ones_own(work: RunningWork, facts: EndingFacts) -> Hold:
    """What holds the site is the caller's own work, which now ends what it was about."""
    held = holder(work)
    if held is not None and held.id == facts.turns:
        return Hold.OWN
    if _is_setup(held):
        return Hold.SETUP_WORK
    # A worker may be half-way through the operation that is to be cancelled, and expiry does not outrank its life.
    if held is not None and facts.entry.operation_id is not None and held.operation_id == facts.entry.operation_id:
        return Hold.WORKER_OF_EXPIRED if facts.expired else Hold.WORKER
    return Hold.OTHER_WORK


@guard(Code.WORK_IN_PROGRESS)
def no_such_work_runs(work: RunningWork, facts: WorkFacts) -> bool:
    """No other work of this kind runs aside."""
    return bool(joined(work, facts.entry)) or all(entry.kind is not facts.entry.kind for entry in work.entries)


@guard(Code.INVALID_TRANSITION)
def entry_is_held(work: RunningWork, facts: StepFacts | ReleaseFacts) -> bool:
    """The caller holds the site."""
    held = holder(work)
    return held is not None and held.id == facts.entry_id


def refusal_beside(held: WorkEntry) -> Code:
    """Say how somebody is refused who meets this work and does not join it."""
    return Code.SETUP_OPERATION_IN_PROGRESS if _is_setup(held) else Code.WORK_IN_PROGRESS


def _is_setup(entry: WorkEntry | None) -> bool:
    return entry is not None and entry.kind in SETUP_KINDS


def take(work: RunningWork, facts: WorkFacts) -> RunningWork:
    """Note the work, unless it is joined."""
    return work if joined(work, facts.entry) else RunningWork(entries=(*work.entries, facts.entry))


def turn(work: RunningWork, facts: EndingFacts) -> RunningWork:
    """Put the new entry in the place of the old one: between them the site is never free."""
    return RunningWork(entries=tuple(facts.entry if entry.id == facts.turns else entry for entry in work.entries))


def add(work: RunningWork, facts: StepFacts) -> RunningWork:
    """Note the operation in the entry: from now on its worker is alive."""
    return RunningWork(
        entries=tuple(
            evolve(entry, operation_id=facts.operation_id) if entry.id == facts.entry_id else entry
            for entry in work.entries
        )
    )


def drop(work: RunningWork, facts: ReleaseFacts) -> RunningWork:
    """Forget the work. What has been forgotten already stays so."""
    return RunningWork(entries=tuple(entry for entry in work.entries if entry.id != facts.entry_id))


FREE, MUTATING, TERMINALIZING = WorkState.FREE, WorkState.MUTATING, WorkState.TERMINALIZING

SAME: Final = (request_is_the_same,)
NOTHING_ENDS: Final = (nothing_is_being_ended,)
"""Never holds where it is asked: no mutation begins while something is being ended, it only hears what."""
OWN: Final = (work_is_ones_own,)
APART: Final = (no_such_work_runs,)
HELD: Final = (entry_is_held,)

WORK: Final = Machine[RunningWork, WorkState](
    name="work",
    states=WorkState,
    reads=work_state,
    initial=(FREE,),
    codes=Code,
    edges=(
        Edge(BEGIN_MUTATION, FREE, MUTATING, assigns=take),
        Edge(BEGIN_MUTATION, MUTATING, MUTATING, guards=SAME),
        Edge(BEGIN_MUTATION, TERMINALIZING, MUTATING, guards=NOTHING_ENDS),
        Edge(BEGIN_TERMINATION, FREE, TERMINALIZING, assigns=take),
        Edge(BEGIN_TERMINATION, MUTATING, TERMINALIZING, guards=OWN, assigns=turn),
        Edge(BEGIN_TERMINATION, TERMINALIZING, TERMINALIZING, guards=SAME),
        *(Edge(BEGIN_SIDE_WORK, state, state, guards=APART, assigns=take) for state in WorkState),
        *(Edge(ADD_OPERATION, state, state, guards=HELD, assigns=add) for state in (MUTATING, TERMINALIZING)),
        *(Edge(RELEASE, state, FREE, guards=HELD, assigns=drop) for state in (MUTATING, TERMINALIZING)),
        *(Edge(RELEASE, state, state, unless=HELD, assigns=drop) for state in (MUTATING, TERMINALIZING)),
        Edge(RELEASE, FREE, FREE, assigns=drop),
    ),
    otherwise={ADD_OPERATION: Code.INVALID_TRANSITION},
)

# A restart holds nothing, so a process begins with nothing, once, after its start-up check has passed.
RUNNING_WORK: Final = Regions[RunningWork](
    name="work",
    begins=Beginning(OPEN_SITE, creates=lambda _facts: NO_WORK, otherwise=Code.SITE_LOCKED),
    absent=Code.STARTUP_CHECK_FAILED,
    machines=(WORK,),
)
