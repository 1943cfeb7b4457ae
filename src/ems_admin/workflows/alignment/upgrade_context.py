"""B6, what a Guided Upgrade has settled: cleared with its own operation, and never with another.

Source: `seed 000` 6.2, 7.6.
"""

from __future__ import annotations

from ems_admin.machines.records.reading import Present
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.records import JournalLine


async def clear_context(house: House, operation_id: str, caller: Caller) -> None:
    """Remove B6 if it names this operation; any other, and one that cannot be read, stays as it is."""
    async with house.records.upgrade.store.hold() as held:
        reading = await held.read()
        if not isinstance(reading, Present) or reading.record.operation_id != operation_id:
            return
        require(await held.remove())
    await house.journal.append(
        JournalLine(
            machine="guided_upgrade",
            key=operation_id,
            trigger="clear_context",
            operation_id=operation_id,
            session=caller.session or caller.token,
        )
    )
