"""The way forward: the old Admin is put aside, the new one takes its place, and is seen to be whole.

Until then a failure is noted, and the walk turns round. From then on there is only forward: what fails is tried again.
Every act is decided by the hand that does it, by looking. Source: `replacement.md` 7.4 (U3 to U13).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Body, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement import walk
from ems_admin.machines.replacement.walking import Wish
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.replacement import Moved, Mover, Snapshot, Verification
from ems_admin.workflows.replacement.opening import claim
from ems_admin.workflows.replacement.steps import Act, Acts, facts, heard, moved, wished
from ems_admin.workflows.replacement.updating import Updating

Hand: TypeAlias = Callable[[Mover, Run], Awaitable[Moved]]
Deed: TypeAlias = Callable[[Updating, Run, Transition], Awaitable[Run]]

WITHDRAWN: Final = EngineFailure(code=Code.ADMIN_UPDATE_NOT_RUNNABLE)
"""B1 does not want this walk any more: it was called off, or cannot be read."""


async def _take_snapshot(updating: Updating, run: Run, transition: Transition) -> Run:
    answer = heard(await updating.mover.snapshot(transition))
    match answer:
        case EngineFailure():
            return await fail(updating, run, answer)
        case Snapshot():
            return await updating.run.decide(
                walk.SNAPSHOT_TAKEN,
                walk.SnapshotFacts(
                    now=updating.clock.now(),
                    operation_id=run.operation_id,
                    attempt=run.attempt,
                    snapshot=answer.text,
                    predecessor=answer.predecessor,
                ),
            )


async def _create_successor(updating: Updating, run: Run, transition: Transition) -> Run:
    answer = heard(await updating.mover.create_successor(run, transition))
    match answer:
        case EngineFailure():
            return await fail(updating, run, answer)
        case Body():
            return await updating.run.decide(
                walk.SUCCESSOR_CREATED,
                walk.SuccessorFacts(
                    now=updating.clock.now(),
                    operation_id=run.operation_id,
                    attempt=run.attempt,
                    successor=answer,
                ),
            )


async def _verify_successor(updating: Updating, run: Run, transition: Transition) -> Run:
    answer = heard(await updating.mover.verify_successor(run, transition))
    match answer:
        case EngineFailure():
            return await fail(updating, run, answer)
        case Verification():
            return await updating.run.decide(
                walk.SUCCESSOR_VERIFIED,
                walk.VerifiedFacts(
                    now=updating.clock.now(),
                    operation_id=run.operation_id,
                    attempt=run.attempt,
                    published=answer.published,
                ),
            )


async def _fence_predecessor(updating: Updating, run: Run, _transition: Transition) -> Run:
    return await _tried(updating, run, await updating.mover.fence(run))


async def fail(updating: Updating, run: Run, failure: EngineFailure) -> Run:
    """Note what went wrong before anything is taken back: from here on the walk leads back."""
    return await updating.run.decide(
        walk.WALK_FAILED,
        walk.WalkFailureFacts(
            now=updating.clock.now(),
            operation_id=run.operation_id,
            attempt=run.attempt,
            code=failure.code,
            exit_code=failure.exit_code,
            log=_told(failure),
        ),
    )


def _told(failure: EngineFailure) -> tuple[str, ...]:
    """Give the last words of what failed, and behind them what was found wrong: B1 carries the last line."""
    words = (failure.message or "").splitlines()
    return (*words, f"{failure.code}: {failure.detail}") if failure.detail else tuple(words)


def while_wanted(deed: Deed) -> Act:
    """Do this only while B1 wants it; otherwise what was begun is taken back, unless its new Admin works already."""

    async def act(updating: Updating, run: Run) -> Run:
        wish, transition = await wished(updating, run)
        if wish is Wish.OVER:
            return await updating.run.decide(walk.SUCCESSOR_WENT_ON, facts(updating))
        if transition is None or wish is Wish.WITHDRAWN:
            return await fail(updating, run, WITHDRAWN)
        return await deed(updating, run, transition)

    return act


def or_back(hand: Hand) -> Act:
    """Move; a failure turns the walk round."""

    async def act(updating: Updating, run: Run) -> Run:
        return await _tried(updating, run, await hand(updating.mover, run))

    return act


def or_again(hand: Hand) -> Act:
    """Move; a failure is tried again for as long as it takes."""

    async def act(updating: Updating, run: Run) -> Run:
        moved(await hand(updating.mover, run))
        return run

    return act


async def end_run(updating: Updating, _run: Run) -> Run:
    """Note that the walk is over (U14)."""
    return await updating.run.decide(walk.END, facts(updating))


async def _tried(updating: Updating, run: Run, answer: Moved) -> Run:
    outcome = heard(answer)
    return await fail(updating, run, outcome) if isinstance(outcome, EngineFailure) else run


FORWARD: Final[Acts] = {
    "claim_operation": claim,
    "take_snapshot": while_wanted(_take_snapshot),
    "fence_predecessor": while_wanted(_fence_predecessor),
    "stop_predecessor": or_back(lambda mover, run: mover.stop_predecessor(run)),
    "set_aside": or_back(lambda mover, run: mover.set_aside(run)),
    "create_successor": while_wanted(_create_successor),
    "start_successor": or_back(lambda mover, run: mover.start_successor(run)),
    "verify_successor": while_wanted(_verify_successor),
    "name_successor": or_again(lambda mover, run: mover.name_successor(run)),
    "unfence_successor": or_again(lambda mover, run: mover.unfence_successor(run)),
    "remove_predecessor": or_again(lambda mover, run: mover.remove_predecessor(run)),
    "end_run": end_run,
}
