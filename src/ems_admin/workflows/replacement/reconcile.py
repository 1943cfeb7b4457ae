"""What becomes of a replacement that was handed over: looked at by whichever Admin runs, and never left to an expiry.

Under the dispatch lock, so that nobody launches or cancels meanwhile. What goes wrong here changes nothing for good: it
is looked at again ten seconds later.

Source: `replacement.md` 7.5, 7.6, 7.7; `faults.md` D10, F28, F35, F37, F42.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.cancel import Claim
from ems_admin.machines.alignment.facts import END_UNCLAIMED_UPDATER, FailureFacts
from ems_admin.machines.alignment.outlook import has_failed, is_handed_over, is_terminal, place_of
from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Dispatch, Run, UpdaterExit
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement.attempts import is_open, transition_identity
from ems_admin.machines.replacement.reconciling import (
    RECONCILE,
    TIDYING,
    Handed,
    Kept,
    Reconciling,
    Remains,
    Tidying,
)
from ems_admin.machines.replacement_dispatch import UPDATER_ENDED, UpdaterEndedFacts
from ems_admin.workflows import standing
from ems_admin.workflows.caller import THE_HOUSE
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import HeldLedger, Settled
from ems_admin.workflows.outcomes import require_done
from ems_admin.workflows.replacement.dispatch import LOCK_WAIT, told
from ems_admin.workflows.replacement.launch import Launching
from ems_admin.workflows.replacement.rollback import bring_back
from ems_admin.workflows.replacement.updating import Updating
from ems_admin.workflows.sight import Sight, look, sight


async def reconcile(house: House) -> Reconciling | None:
    """Do about a replacement under way what its place calls for; `None` when none is under way.

    Raises `RefusalError` with what could not be done now: it is then done by the next look.
    """
    if not await _is_under_way(house):
        return None
    async with house.records.dispatch.hold(LOCK_WAIT) as held:
        transition = await house.records.transition.current()
        if transition is None or not is_handed_over(transition):
            return None
        seen = await sight(house, transition)
        verdict = RECONCILE.classify(_handed(house, transition, seen))
        _tell(house, verdict)
        if act := ACTS.get(verdict):
            await act(_Reconciling(house=house, held=held, transition=transition, seen=seen))
        return verdict


async def outlook(house: House) -> Reconciling | None:
    """Say what would be done now, and do nothing; `None` when no replacement is under way."""
    reading = await house.records.transition.read()
    if not isinstance(reading, Present) or not is_handed_over(reading.record):
        return None
    return RECONCILE.classify(_handed(house, reading.record, await sight(house, reading.record)))


async def tidy_up(house: House) -> None:
    """See to the updaters of an operation that waits for none of them any more. Raises `RefusalError`."""
    reading = await house.records.transition.read()
    if not isinstance(reading, Present) or not (is_terminal(reading.record) or has_failed(reading.record)):
        return
    transition = reading.record
    seen = await sight(house, transition)
    match TIDYING.classify(Remains(transition.stage, seen.kept, _claim(transition))):
        case Tidying.FORGET:
            require_done(await house.launcher.forget(transition.operation_id))
        case Tidying.QUELL:
            require_done(await house.launcher.quell(transition.operation_id, seen.number))
        case Tidying.LEAVE:
            pass


async def _is_under_way(house: House) -> bool:
    reading = await house.records.transition.read()
    return isinstance(reading, Present) and is_handed_over(reading.record)


def _handed(house: House, transition: Transition, seen: Sight) -> Handed:
    return Handed(
        place=place_of(transition, standing.running_admin(house)),
        walked=seen.walked,
        updater=seen.kept,
        claim=_claim(transition),
        dispatch=seen.promise,
        expiry=standing.expiry(house, transition),
    )


def _claim(transition: Transition) -> Claim:
    return Claim.CLAIMED if transition.admin_update_claimed_at else Claim.UNCLAIMED


def _tell(house: House, verdict: Reconciling) -> None:
    if verdict is Reconciling.SHOW_UNPROVABLE:
        house.warnings.show(Code.TRANSITION_STAGE_COMMIT_UNPROVABLE)
    else:
        house.warnings.clear(Code.TRANSITION_STAGE_COMMIT_UNPROVABLE)


@frozen(kw_only=True, eq=False)
class _Reconciling:
    """One replacement under the lock, and what was just seen of it."""

    house: House
    held: HeldLedger[Dispatch]
    transition: Transition
    seen: Sight

    @property
    def launching(self) -> Launching:
        """Launch for the house itself."""
        return Launching(house=self.house, caller=THE_HOUSE, held=self.held, transition=self.transition)

    async def end_restless(self) -> None:
        """Fail the operation if no claim came first, and only then stop the updater for good, and keep its words."""
        facts = FailureFacts(
            now=self.house.clock.now(),
            operation_id=self.transition.operation_id,
            code=Code.REPLACEMENT_UPDATER_FAILED,
            message=self._last_words(None),
        )
        ended = await self.house.records.transition.attempt(END_UNCLAIMED_UPDATER, facts, THE_HOUSE)
        if isinstance(ended, Settled):
            require_done(await self.house.launcher.quell(self.transition.operation_id, self.seen.number))
            await self._settle(Code.REPLACEMENT_UPDATER_FAILED)
            stopped = await look(self.house, self.transition, self.seen.number)
            await self._note_exit(stopped.exit)

    async def fail_not_dispatched(self) -> None:
        """Nothing was promised and nothing is there."""
        await self.launching.fail_operation(Code.REPLACEMENT_NOT_DISPATCHED)

    async def fail_unverifiable(self) -> None:
        """An Admin that cannot name itself can neither be the target nor prove that it is not."""
        await self._discard_unstarted()
        await self._settle(Code.ADMIN_UNVERIFIABLE)
        await self.launching.fail_operation(Code.ADMIN_UNVERIFIABLE)

    async def start(self) -> None:
        """Start what was created and never started."""
        if self.seen.attempt is None:
            await self._discard_unstarted()
        else:
            await self.launching.start(self.seen.attempt)

    async def create_and_start(self) -> None:
        """Keep the promise: the same number, another create."""
        if (attempt := self.seen.attempt) is not None:
            await self.launching.create_and_start(await self.launching.intend(attempt.number - 1))

    async def bring_back(self) -> None:
        """Take back what a dead updater has left, and only then say in B1 that it failed."""
        await self._discard_unstarted()
        await self._settle(Code.REPLACEMENT_UPDATER_FAILED)
        await self._note_exit(self.seen.seen.exit)
        run = await bring_back(self._updating())
        if await _is_under_way(self.house):
            failure = told(self._code(run))
            await self.launching.fail_operation(Code(failure.code), self._last_words(run))

    async def _discard_unstarted(self) -> None:
        if self.seen.kept is Kept.CREATED:
            number = self.seen.number
            require_done(await self.house.launcher.discard(self.transition.operation_id, number))

    async def _settle(self, code: Code) -> None:
        attempt = self.seen.attempt
        if attempt is not None and is_open(attempt):
            await self.launching.settle_by_looking(attempt, code)

    async def _note_exit(self, end: UpdaterExit | None) -> None:
        attempt = self.seen.attempt
        if attempt is None or end is None:
            return
        facts = UpdaterEndedFacts(
            operation_id=self.transition.operation_id,
            transition_identity=transition_identity(self.transition),
            attempt=attempt.number,
            exit=end,
        )
        await self.held.attempt(UPDATER_ENDED, facts, THE_HOUSE)

    def _code(self, run: Run | None) -> str:
        """Name the failure: by the walk, by the launch that never came to one, or by the death of the updater."""
        if run is not None and run.code is not None:
            return run.code
        launch = self.seen.attempt.code if self.seen.attempt else None
        return launch or Code.REPLACEMENT_UPDATER_FAILED

    def _last_words(self, run: Run | None) -> str | None:
        end = self.seen.seen.exit
        log = run.log if run is not None and run.log else end.log if end is not None else ()
        return log[-1] if log else None

    def _updating(self) -> Updating:
        house = self.house
        return Updating(
            operation_id=self.transition.operation_id,
            attempt=self.seen.number,
            run=house.records.run,
            dispatch=house.records.dispatch,
            transition=house.records.transition,
            mover=house.mover,
            clock=house.clock,
            built_at=house.own.built_at if house.own else None,
        )


ACTS: Final[Mapping[Reconciling, Callable[[_Reconciling], Awaitable[None]]]] = {
    Reconciling.END_RESTLESS: _Reconciling.end_restless,
    Reconciling.FAIL_NOT_DISPATCHED: _Reconciling.fail_not_dispatched,
    Reconciling.FAIL_UNVERIFIABLE: _Reconciling.fail_unverifiable,
    Reconciling.START: _Reconciling.start,
    Reconciling.CREATE_AND_START: _Reconciling.create_and_start,
    Reconciling.BRING_BACK: _Reconciling.bring_back,
}
"""The other verdicts only say how things stand."""
