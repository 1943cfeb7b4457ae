"""What the journal is told of one authority: its steps, its refusals, and the answers that moved it.

Evidence, never authority: nothing here can fail what it tells of. Source: `site.md` 1.7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import frozen

from ems_admin.machines.kernel import Accepted, Answered, Refusal, Regions, Trigger
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.ports.records import Journal, JournalLine
from ems_admin.workflows.ports.running import Events

R = TypeVar("R")
F = TypeVar("F")


@frozen(kw_only=True, eq=False)
class Telling(Generic[R]):
    """One authority as the journal knows it."""

    regions: Regions[R]
    journal: Journal
    events: Events
    key: Callable[[R], str]

    async def step(
        self, before: R | None, trigger: Trigger[F], decision: Accepted[R] | Answered[R], by: Caller
    ) -> None:
        """Tell every machine of the record that moved, and hint to the pages that something has."""
        if decision.record == before:
            return
        code = decision.refusal.code if isinstance(decision, Answered) else None
        key = self.key(decision.record)
        for step in decision.steps:
            line = JournalLine(
                machine=step.machine.name,
                key=key,
                trigger=trigger.name,
                source=step.source,
                target=step.edge.target,
                code=code,
            )
            await self._line(decision.record, line, by)
        if not decision.steps:
            state = self.regions.machines[0].reads(decision.record)
            line = JournalLine(machine=self.regions.machines[0].name, key=key, trigger=trigger.name, target=state)
            await self._line(decision.record, line, by)
        self.events.publish(self.regions.name)

    async def refusal(self, record: R | None, trigger: Trigger[F], refusal: Refusal, by: Caller) -> None:
        """Tell a refusal, also one that the disk gave."""
        key = self.key(record) if record is not None else ""
        line = JournalLine(
            machine=self.regions.name, key=key, trigger=trigger.name, code=refusal.code, detail=refusal.detail
        )
        await self._line(record, line, by)

    async def cleared(self, record: R, by: Caller) -> None:
        """Tell that the record was taken away."""
        await self._line(record, JournalLine(machine=self.regions.name, key=self.key(record), trigger="clear"), by)

    async def _line(self, record: R | None, line: JournalLine, by: Caller) -> None:
        # The ids are read by name: every record that has them calls them so.
        await self.journal.append(
            JournalLine(
                machine=line.machine,
                key=line.key,
                trigger=line.trigger,
                source=line.source,
                target=line.target,
                code=line.code,
                detail=line.detail,
                operation_id=getattr(record, "operation_id", None),
                workflow_id=getattr(record, "workflow_id", None),
                session=by.session or by.token,
            )
        )
