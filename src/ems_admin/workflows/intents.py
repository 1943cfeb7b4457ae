"""The confirmations of this process: issued, claimed once, retired with their workflow.

Source: `seed 000` 5.5; `site.md` 1.13.
"""

from __future__ import annotations

from datetime import timedelta

from attrs import define

from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.setup_intent import (
    CAPACITY,
    CLAIM_INTENT,
    ISSUE_INTENT,
    RETIRE_INTENT,
    SETUP_INTENT,
    SETUP_NEW,
    ClaimFacts,
    IntentState,
    IssueFacts,
    RetireFacts,
    SetupIntent,
    is_forgotten,
)
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.ports.records import Journal, JournalLine, RefusalError
from ems_admin.workflows.ports.running import Clock, Ids


@define(kw_only=True, eq=False)
class Intents:
    """All intents, oldest first. Mutable: it is the memory that a restart is meant to lose."""

    clock: Clock
    ids: Ids
    journal: Journal
    kept: dict[str, SetupIntent]

    async def issue(self, caller: Caller, workflow_id: str, installation: str | None) -> str:
        """Confirm a Setup for this caller and give the id. Raises `RefusalError` with `setup_state_changed`."""
        now = self._now()
        facts = IssueFacts(
            boottime=now,
            intent_id=self.ids.secret(),
            bearer=caller.name,
            workflow_id=workflow_id,
            action=SETUP_NEW,
            installation_fingerprint=installation,
        )
        decision = SETUP_INTENT.decide(None, ISSUE_INTENT, facts)
        if isinstance(decision, Refused):
            raise RefusalError(decision.refusal)
        # Whoever confirms anew is done with what was confirmed before: the own tombstones go.
        self.kept = {
            key: intent
            for key, intent in self.kept.items()
            if not is_forgotten(intent, now) and (intent.bearer != caller.name or intent.ended_at is None)
        }
        self.kept = dict([*self.kept.items(), (facts.intent_id, decision.record)][-CAPACITY:])
        await self._tell(None, decision.record, "issue_intent", caller)
        return facts.intent_id

    async def claim(self, caller: Caller, intent_id: str | None, *, workflow_id: str, installation: str | None) -> None:
        """Use a confirmation up. Raises `RefusalError` with the intent's own code; then it stays unspent."""
        facts = ClaimFacts(
            boottime=self._now(),
            bearer=caller.name,
            workflow_id=workflow_id,
            action=SETUP_NEW,
            installation_fingerprint=installation,
        )
        before = self.kept.get(intent_id) if intent_id is not None else None
        if before is not None and is_forgotten(before, facts.boottime):
            before = None
        decision = SETUP_INTENT.decide(before, CLAIM_INTENT, facts)
        if isinstance(decision, Refused):
            await self._tell(before, before, "claim_intent", caller, decision.refusal)
            raise RefusalError(decision.refusal)
        self.kept[decision.record.intent_id] = decision.record
        refusal = getattr(decision, "refusal", None)
        await self._tell(before, decision.record, "claim_intent", caller, refusal)
        if refusal is not None:
            raise RefusalError(refusal)

    async def retire(self, caller: Caller, *, workflow_id: str | None = None, bearer: str | None = None) -> None:
        """Retire every intent of a workflow, in every session, or every one of a session that logs out."""
        facts = RetireFacts(boottime=self._now())
        for key, intent in self.kept.items():
            if workflow_id not in (None, intent.workflow_id) or bearer not in (None, intent.bearer):
                continue
            decision = SETUP_INTENT.decide(intent, RETIRE_INTENT, facts)
            if not isinstance(decision, Refused) and decision.record is not intent:
                self.kept[key] = decision.record
                await self._tell(intent, decision.record, "retire_intent", caller)

    def newest_state(self) -> IntentState | None:
        """Say how the newest confirmation stands; `None` when there is none."""
        newest = next(reversed(self.kept.values()), None)
        return newest.state if newest else None

    def _now(self) -> timedelta:
        return timedelta(seconds=self.clock.boottime())

    async def _tell(  # the columns of a line
        self,
        before: SetupIntent | None,
        after: SetupIntent | None,
        trigger: str,
        caller: Caller,
        refusal: Refusal | None = None,
    ) -> None:
        # A line with a target is a transition and kept as one; a plain refusal has none, and adds to those like it.
        moved = after is not None and after is not before
        line = JournalLine(
            machine="setup_intent",
            key=after.workflow_id if after else "",
            trigger=trigger,
            source=before.state if before and moved else None,
            target=after.state if after and moved else None,
            code=refusal.code if refusal else None,
            workflow_id=after.workflow_id if after else None,
            session=caller.session or caller.token,
        )
        await self.journal.append(line)
