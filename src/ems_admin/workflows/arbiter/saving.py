"""Safe recovery at work: normal domain operations in a declared order, and no record is deleted for being in the way.

Source: `seed 000` 7.4, 7.6; `site.md` 4 (config-commit intent); `replacement.md` 7.6.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.recovery import SafeAction
from ems_admin.machines.records.reading import Present, Reading
from ems_admin.machines.records.replacement import Dispatch
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.workflows.alignment.upgrade_context import clear_context
from ems_admin.workflows.arbiter.ending import end_operation, end_setup
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.settlement import keep_live
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.offering import safe_actions
from ems_admin.workflows.lifecycle.situation import Situation
from ems_admin.workflows.outcomes import require_done
from ems_admin.workflows.ports.records import JournalLine, RefusalError
from ems_admin.workflows.ports.replacement import Unstarted
from ems_admin.workflows.replacement.dispatch import LOCK_WAIT


async def save(house: House, caller: Caller, entry: WorkEntry, at: Situation) -> tuple[SafeAction, ...]:
    """Perform what is offered, in its order, and give it. Raises `RefusalError`, which tells what was done before."""
    saving = _Saving(house=house, caller=caller, entry=entry, at=at)
    done: list[SafeAction] = []
    for action in safe_actions(at):
        try:
            await saving.performers[action]()
        except RefusalError as refused:
            raise RefusalError(refused.refusal.with_detail(refused.refusal.detail, actions=tuple(done))) from refused
        done.append(action)
    return tuple(done)


@frozen(kw_only=True)
class _Saving:
    """One recovery, and who performs each of its actions."""

    house: House
    caller: Caller
    entry: WorkEntry
    at: Situation

    @property
    def performers(self) -> Mapping[SafeAction, Callable[[], Awaitable[None]]]:
        """Name the performer of each action."""
        return {
            SafeAction.DISCARD_UNSTARTED_UPDATER: self.discard_updater,
            SafeAction.TRANSITION_CANCEL: self.cancel_operation,
            SafeAction.SETUP_CLEANUP: self.clean_up_setup,
            SafeAction.UPGRADE_CONTEXT_CLEAR: self.clear_upgrade_context,
            SafeAction.SETTLE_CONFIG_COMMIT: self.settle_commit,
        }

    async def discard_updater(self) -> None:
        """Remove the updater without force, so that nobody launches meanwhile; one that runs by now stays."""
        async with self.house.records.dispatch.hold(LOCK_WAIT) as held:
            for updater in await self._left(await held.read()):
                require_done(await self.house.launcher.discard(updater.operation_id, updater.attempt))
                line = JournalLine(
                    machine="replacement_dispatch",
                    key=updater.operation_id,
                    trigger="discard_unstarted_updater",
                    operation_id=updater.operation_id,
                    session=self.caller.session or self.caller.token,
                )
                await self.house.journal.append(line)

    async def _left(self, reading: Reading[Dispatch]) -> tuple[Unstarted, ...]:
        """Name the updater that the dispatch record names; where it names none, whatever was never started."""
        match reading:
            case Present(record=Dispatch(operation_id=operation_id, attempts=(*_, attempt))):
                return (Unstarted(operation_id=operation_id, attempt=attempt.number),)
            case _:
                left = await self.house.launcher.unstarted()
                if left is None:
                    raise RefusalError(Refusal(Code.INSTALL_STATE_UNAVAILABLE, detail="engine"))
                return left

    async def cancel_operation(self) -> None:
        """Cancel what no Setup owns, with what its upgrade had settled."""
        await end_operation(self.house, self.caller, self.entry)

    async def clean_up_setup(self) -> None:
        """End the Setup, or go on with what it owes. In a conflict its operation is cancelled by now."""
        await end_setup(self.house, self.caller, self.entry, self.at)

    async def clear_upgrade_context(self) -> None:
        """Clear B6 by the operation that it names itself; what has gone with its operation is gone."""
        if isinstance(self.at.reads.upgrade, Present):
            await clear_context(self.house, self.at.reads.upgrade.record.operation_id, self.caller)

    async def settle_commit(self) -> None:
        """Keep the live config as it is, and owe nothing any more."""
        await keep_live(self.house, self.caller)
