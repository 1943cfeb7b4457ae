"""One launch under the dispatch lock, R1 to R5: promised, handed over, created, started, and its outcome noted.

Every step is durable before the next. What the engine does not confirm is settled by looking, and what looking does
not settle stays promised.

Source: `replacement.md` 7.3 (R1 to R5); `faults.md` F31, F32, F35, F44.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from ems_admin.machines.alignment.facts import HAND_OVER, MARK_FAILED, FailureFacts, OperationFacts
from ems_admin.machines.alignment.outlook import is_handed_over, never_handed_over
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Attempt, Dispatch
from ems_admin.machines.records.transition import Transition, identity
from ems_admin.machines.replacement.attempts import is_open, last, settled, transition_identity, updater_name
from ems_admin.machines.replacement.launching import LAUNCH, Blame, Starts, Unconfirmed, Verdict
from ems_admin.machines.replacement_dispatch import (
    BEGIN_DISPATCH,
    INTEND,
    LAUNCH_FAILED,
    LAUNCHED,
    DispatchFacts,
    IntendFacts,
    LaunchedFacts,
    LaunchFailedFacts,
)
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import Denied, HeldLedger, Settled
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.records import NotCommitted, RefusalError, Unprovable
from ems_admin.workflows.ports.replacement import Launch
from ems_admin.workflows.sight import kept, look

MOST_STARTS: Final = 3


@frozen(kw_only=True, eq=False)
class Launching:
    """One operation whose updater is launched, its dispatch record held."""

    house: House
    caller: Caller
    held: HeldLedger[Dispatch]
    transition: Transition
    """B1 as it was read under the lock."""

    async def launch(self, after: int) -> Transition:
        """Launch attempt `after` + 1 from the beginning. Raises `RefusalError` with why nothing was launched."""
        attempt = await self.intend(after)
        await self._hand_over()
        return await self.create_and_start(attempt)

    async def intend(self, after: int) -> Attempt:
        """Promise the attempt and count its create (R1). Raises `RefusalError`; without a try left B1 fails."""
        if await self._record() is None:
            await self.held.decide(BEGIN_DISPATCH, DispatchFacts(**self._exact), self.caller)
        facts = IntendFacts(
            **self._exact,
            after=after,
            container=updater_name(self.transition.operation_id, after + 1),
            image=await self.house.launcher.own_image(),
        )
        match await self.held.attempt(INTEND, facts, self.caller):
            case Settled(record=record) if attempt := last(record):
                return attempt
            case Denied(refusal=refusal, moved=True):
                await self.fail_operation(Code(refusal.code))
                raise RefusalError(refusal)
            case other:
                self.held.ledger.settled(other)
                raise LookupError("an attempt that was promised is on record")

    async def create_and_start(self, attempt: Attempt) -> Transition:
        """Create the updater (R3), start it (R4), and note what came of it (R5). Raises `RefusalError`."""
        launch = self._launch(attempt)
        created = await self.house.launcher.create(launch)
        return await self._settle(attempt, await self._start(launch, created))

    async def start(self, attempt: Attempt) -> Transition:
        """Start an updater that was created and never started (R4, R5). Raises `RefusalError`."""
        return await self._settle(attempt, await self._start(self._launch(attempt), Done()))

    async def close_open_attempt(self, after: int) -> int:
        """Settle an attempt that was left open beside a failed operation; give the number that is settled then."""
        record = await self._record()
        attempt = last(record) if record is not None else None
        if record is None or attempt is None or not is_open(attempt):
            return after
        await self.settle_by_looking(attempt, Code.REPLACEMENT_NOT_DISPATCHED)
        return settled(await self._record(), self.transition.operation_id)

    async def settle_by_looking(self, attempt: Attempt, code: Code) -> None:
        """Note what is seen of an attempt that nobody settled: `code` when it is proven not to have started."""
        seen = kept(await look(self.house, self.transition, attempt.number))
        match LAUNCH.classify(Unconfirmed(seen, Blame.KNOWN, Starts.SPENT)):
            case Verdict.LAUNCHED:
                await self._note_launched(attempt)
            case Verdict.FAILED:
                await self._note_failed(attempt, code)
            case Verdict.REMOVE if await self._is_removed(attempt.number):
                await self._note_failed(attempt, code)
            case _:
                pass  # nobody can say: it stays promised

    async def fail_operation(self, code: Code, message: str | None = None) -> None:
        """Record in B1 that the replacement failed; where that cannot be made durable the reconciler does it."""
        facts = FailureFacts(**self._operation, code=code, message=message)
        await self.house.records.transition.attempt(MARK_FAILED, facts, self.caller)

    async def _hand_over(self) -> None:
        """Move B1 on before anything is created (R2), so that the updater finds a state that it can fail."""
        ledger = self.house.records.transition
        match await ledger.attempt(HAND_OVER, OperationFacts(**self._operation), self.caller):
            case Settled():
                return
            case Denied(refusal=refusal):
                raise RefusalError(refusal)
            case NotCommitted() as outcome:
                raise RefusalError(ledger.refusal_of(outcome))
            case Unprovable():
                await self._classify_handover()

    async def _classify_handover(self) -> None:
        """Read B1 once: moved, it goes on; not moved, nothing was started; anything else is nobody's guess."""
        reading = await self.house.records.transition.read()
        if isinstance(reading, Present) and identity(reading.record) == identity(self.transition):
            if is_handed_over(reading.record):
                return
            if never_handed_over(reading.record):
                raise RefusalError(Refusal(Code.TRANSITION_STATE_WRITE_FAILED))
        raise RefusalError(Refusal(Code.TRANSITION_STAGE_COMMIT_UNPROVABLE, detail="transition"))

    async def _start(self, launch: Launch, outcome: Done | EngineFailure) -> EngineFailure | Verdict:
        """Start it until it is known to have run or to be gone; the failure that proved the latter is the answer."""
        for started in range(MOST_STARTS + 1):
            if isinstance(outcome, EngineFailure):
                verdict = await self._verdict(launch, outcome, Starts.LEFT if started < MOST_STARTS else Starts.SPENT)
                if verdict is not Verdict.START:
                    return outcome if verdict is Verdict.FAILED else verdict
            outcome = await self.house.launcher.start(launch)
            if isinstance(outcome, Done):
                return Verdict.LAUNCHED
        return Verdict.STAYS_INTENDED

    async def _verdict(self, launch: Launch, failure: EngineFailure, starts: Starts) -> Verdict:
        verdict = await self._look(launch.attempt, failure, starts)
        if verdict is not Verdict.REMOVE:
            return verdict
        if await self._is_removed(launch.attempt):
            return Verdict.FAILED
        # It could not be removed: it runs after all, or nobody can say.
        again = await self._look(launch.attempt, failure, starts)
        return Verdict.STAYS_INTENDED if again is Verdict.REMOVE else again

    async def _look(self, number: int, failure: EngineFailure, starts: Starts) -> Verdict:
        blame = Blame.UNKNOWN if failure.code is Code.INSTALL_STATE_UNAVAILABLE else Blame.KNOWN
        seen = await look(self.house, self.transition, number)
        return LAUNCH.classify(Unconfirmed(kept(seen), blame, starts))

    async def _settle(self, attempt: Attempt, found: EngineFailure | Verdict) -> Transition:
        """Note the outcome (R5); what nobody can say is asked again by the reconciler."""
        if isinstance(found, EngineFailure):
            await self._note_failed(attempt, found.code)
            await self.fail_operation(found.code, found.message or found.detail)
            raise RefusalError(Refusal(found.code, detail=found.detail))
        if found is Verdict.LAUNCHED:
            await self._note_launched(attempt)
        reading = await self.house.records.transition.read()
        return reading.record if isinstance(reading, Present) else self.transition

    async def _is_removed(self, number: int) -> bool:
        return isinstance(await self.house.launcher.discard(self.transition.operation_id, number), Done)

    async def _note_launched(self, attempt: Attempt) -> None:
        # Not proven durable it stays promised, and whoever looks next sees the updater and settles it.
        await self.held.attempt(LAUNCHED, LaunchedFacts(**self._exact, attempt=attempt.number), self.caller)

    async def _note_failed(self, attempt: Attempt, code: Code) -> None:
        facts = LaunchFailedFacts(**self._exact, attempt=attempt.number, code=code)
        await self.held.attempt(LAUNCH_FAILED, facts, self.caller)

    def _launch(self, attempt: Attempt) -> Launch:
        return Launch(
            operation_id=self.transition.operation_id,
            attempt=attempt.number,
            container=attempt.container,
            image=attempt.image,
        )

    @property
    def _exact(self) -> dict[str, Any]:
        identity_of = transition_identity(self.transition)
        return {"operation_id": self.transition.operation_id, "transition_identity": identity_of}

    @property
    def _operation(self) -> dict[str, Any]:
        return {"now": self.house.clock.now(), "operation_id": self.transition.operation_id}

    async def _record(self) -> Dispatch | None:
        reading = await self.held.read()
        record = reading.record if isinstance(reading, Present) else None
        return record if record is not None and record.operation_id == self.transition.operation_id else None
