"""Who owns the console right now: the records read together, once, for every route and gate.

Nothing is stored here and nothing is resolved. Source: `seed 000` 7.1, 7.2; `http.md` 5.4 (lifecycle view).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ems_admin.machines import workflow_lifecycle
from ems_admin.machines.workflow_lifecycle import Leftover, Lifecycle, LifecycleFacts
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.offering import safe_actions, stale_records
from ems_admin.workflows.lifecycle.reading import Reads, fingerprint, read_records
from ems_admin.workflows.lifecycle.situation import Situation, situation


@frozen(kw_only=True)
class LifecycleView:
    """The normalised view: verdict, what is running, and what each record says of itself."""

    lifecycle: Lifecycle
    operation: Mapping[str, Any] | None
    at: Situation
    """What it was read from."""
    fingerprint: str

    @property
    def reads(self) -> Reads:
        """The records as they were read."""
        return self.at.reads


async def lifecycle(house: House) -> Lifecycle:
    """Give the verdict alone."""
    return verdict(house, await look(house))


async def lifecycle_view(house: House) -> LifecycleView:
    """Give the verdict with everything that the console shows beside it."""
    return view_of(house, await look(house))


async def look(house: House, *, own_claim: str | None = None) -> Situation:
    """Read the records and gather what else bears on them; `own_claim` is the caller's own entry of work."""
    return await situation(house, await read_records(house), own_claim=own_claim)


def view_of(house: House, at: Situation) -> LifecycleView:
    """Give the view of what was looked at."""
    holder = house.work.holder
    operation = (
        {
            "kind": holder.kind,
            "started_at": holder.started_at,
            "operation_id": holder.operation_id,
            "job_id": holder.job_id,
        }
        if holder
        else None
    )
    return LifecycleView(lifecycle=verdict(house, at), operation=operation, at=at, fingerprint=fingerprint(at.reads))


def verdict(house: House, at: Situation) -> Lifecycle:
    """Classify what was read, together with what runs."""
    left = safe_actions(at) or stale_records(house, at)
    facts = LifecycleFacts(
        setup=at.setup,
        transition=at.transition,
        running=at.running,
        ownership=at.ownership,
        leftover=Leftover.SOME if left else Leftover.NONE,
    )
    return workflow_lifecycle.read(facts)
