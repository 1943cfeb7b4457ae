"""Ending an operation that no Setup owns: the operation first, then what its upgrade had settled.

Source: the seam `cancel`; `seed 000` 3 row 16a, 6.2.
"""

from __future__ import annotations

from attrs import define

from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.seams import CANCEL
from ems_admin.workflows.alignment.cancel import cancel
from ems_admin.workflows.alignment.upgrade_context import clear_context
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.seams import walk


async def cancel_operation(house: House, caller: Caller, transition: Transition, entry: WorkEntry | None) -> Transition:
    """Cancel `transition` and clear the context of its upgrade; one that is cancelled already is only cleared.

    `entry` is the caller's own claim, which is nobody else's work. Raises `RefusalError` with what the operation itself
    answers to a cancel, and then the context of its upgrade stays.
    """
    cancelling = _Cancelling(house=house, caller=caller, entry=entry, transition=transition)
    await walk(
        CANCEL,
        {
            "cancel_operation": cancelling.cancel_operation,
            "clear_upgrade_context": cancelling.clear_upgrade_context,
        },
    )
    return cancelling.transition


@define(kw_only=True, eq=False)
class _Cancelling:
    """One walk. Mutable, because the answer is the record that the first step leaves."""

    house: House
    caller: Caller
    entry: WorkEntry | None
    transition: Transition

    async def cancel_operation(self) -> None:
        """Cancel the operation itself: its own guards decide whether now is a safe moment."""
        self.transition = await cancel(self.house, self.caller, self.transition, self.entry)

    async def clear_upgrade_context(self) -> None:
        """Clear what the upgrade of this very operation had settled, and nothing of another one."""
        await clear_context(self.house, self.transition.operation_id, self.caller)
