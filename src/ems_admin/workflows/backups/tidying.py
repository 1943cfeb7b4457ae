"""Removing backups: one by a person's word, and the oldest ones by themselves when more are there than are kept.

Source: `site.md` 9 (Backups); the table `backup_fate`.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.backup_retention import beyond, may_be_deleted
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.backup import BACKUP_FORMAT, BackupRetention
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.workflows.authority import AuthorityRow, Check, Demand, Hold, person_agreed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.backups import BackupSet
from ems_admin.workflows.ports.records import Committed, JournalLine, RefusalError

DELETE_ROW: Final = AuthorityRow(demands=(Demand.CONFIRMATION, Demand.ADMIN_STAYS, Demand.TARGET))
RETENTION_ROW: Final = AuthorityRow(demands=(Demand.CONFIRMATION, Demand.ADMIN_STAYS))
MOST_KEPT: Final = 1000
MACHINE: Final = "backup"


@frozen(kw_only=True)
class Deleted:
    """A set is gone."""

    id: str


@frozen(kw_only=True)
class Trimmed:
    """How many sets are kept from now on, null for all, and which ones went for it."""

    keep: int | None
    removed: tuple[str, ...]
    stayed: tuple[str, ...]
    """Sets that would have gone and could not be removed."""


async def delete(house: House, caller: Caller, backup_id: str, *, confirm: bool) -> Deleted:
    """Remove a set, damaged or not. Raises `RefusalError`.

    In this order: `confirmation_required`, `system_transition_in_progress` (the Admin is being replaced, or an upgrade
    that is not over rests on this set), `not_found`.
    """
    own = {Demand.CONFIRMATION: person_agreed(confirm=confirm), Demand.TARGET: _nobody_rests_on(backup_id)}
    async with under(house, caller, DELETE_ROW, workflow_id=None, own=own):
        await remove(house, backup_id)
        await tell(house, caller, backup_id, "delete")
        return Deleted(id=backup_id)


async def remove(house: House, backup_id: str) -> None:
    """Remove a set that nobody rests on. Raises `RefusalError`: `system_transition_in_progress`, `not_found`."""
    await _require_free(house, backup_id)
    outcome = await house.backups.delete(backup_id)
    if isinstance(outcome, Absent):
        raise RefusalError(Refusal(Code.NOT_FOUND))
    require(outcome)


async def keep_at_most(house: House, caller: Caller, keep: int | None, *, confirm: bool) -> Trimmed:
    """Say how many sets are kept, `None` for all, and remove what is beyond. Raises `RefusalError`.

    In this order: `confirmation_required`, `system_transition_in_progress`, `unsupported_value`.
    """
    own = {Demand.CONFIRMATION: person_agreed(confirm=confirm)}
    async with under(house, caller, RETENTION_ROW, workflow_id=None, own=own):
        if keep is not None and not 1 <= keep <= MOST_KEPT:
            raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/keep"))
        require(await house.backups.keep(BackupRetention(format_version=BACKUP_FORMAT, keep=keep)))
        await tell(house, caller, "" if keep is None else str(keep), "keep")
        return await trim(house, caller)


async def trim(house: House, caller: Caller) -> Trimmed:
    """Remove the oldest sets beyond those that are kept. What cannot be read now lets nothing go.

    B6 is read anew: an upgrade may have begun since anybody looked.
    """
    retention = await house.backups.retention()
    keep = retention.record.keep if isinstance(retention, Present) else None
    sets = await house.backups.sets()
    newest_first = [one.id for one in sets if isinstance(one, BackupSet)] if isinstance(sets, tuple) else []
    removed: list[str] = []
    stayed: list[str] = []
    for backup_id in beyond(await house.records.upgrade.read(), newest_first, keep):
        if isinstance(await house.backups.delete(backup_id), Committed):
            removed.append(backup_id)
            await tell(house, caller, backup_id, "trim")
        else:
            stayed.append(backup_id)
    return Trimmed(keep=keep, removed=tuple(removed), stayed=tuple(stayed))


async def tell(house: House, caller: Caller, key: str, trigger: str) -> None:
    """Add a line to the journal. Neither a label nor a password is in it."""
    line = JournalLine(machine=MACHINE, key=key, trigger=trigger, session=caller.session or caller.token)
    await house.journal.append(line)


def _nobody_rests_on(backup_id: str) -> Check:
    async def nobody_rests_on_it(hold: Hold) -> None:
        await _require_free(hold.house, backup_id)

    return nobody_rests_on_it


async def _require_free(house: House, backup_id: str) -> None:
    if not may_be_deleted(await house.records.upgrade.read(), backup_id):
        raise RefusalError(Refusal(Code.SYSTEM_TRANSITION_IN_PROGRESS, detail=backup_id))
