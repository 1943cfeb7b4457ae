"""A backup that somebody asked for: accepted, made by a job, and followed by what is kept beyond it.

Source: `http.md` 5.3 (backups/create); `site.md` 1.16, 2 (Running work), 9.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, person_agreed, under
from ems_admin.workflows.backups.creating import STEP, Wanted, back_up, proved, require_content, require_label
from ems_admin.workflows.backups.tidying import tell, trim
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.settlement import refuse_unsettled
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.backups import BackupSet
from ems_admin.workflows.ports.engine import Progress
from ems_admin.workflows.ports.records import RefusalError

ROW: Final = AuthorityRow(demands=(Demand.CONFIRMATION, Demand.ADMIN_STAYS, Demand.CLAIM), claim=WorkKind.BACKUP_CREATE)
ADD_ROW: Final = AuthorityRow(demands=(Demand.CONFIRMATION, Demand.ADMIN_STAYS))
STEPS: Final = ((STEP, "Write the backup and read it back"), ("trim", "Remove what is beyond those that are kept"))


async def create(house: House, caller: Caller, wanted: Wanted, *, confirm: bool) -> Job:
    """Accept a backup and let a job make it. Raises `RefusalError`.

    In this order: `unsupported_value` (the label; an empty password), `confirmation_required`,
    `system_transition_in_progress` during a handover, whoever else makes one, `config_unreadable`. The result of the
    job is the set.
    """
    require_label(wanted.label)
    if wanted.password == "":
        raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/password"))
    lock = None if wanted.password is None else sha256_of({"password": wanted.password})
    request = sha256_of({"scope": wanted.scope, "label": wanted.label, "lock": lock})
    own = {Demand.CONFIRMATION: person_agreed(confirm=confirm)}
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        require_content(await house.config.config())
        job = house.jobs.open(job_id=hold.work.id, kind=hold.work.kind, steps=STEPS)
        house.jobs.run(job, _make(hold, wanted, job), hold.hand_over())
        return job


async def take_in(house: House, caller: Caller, data: bytes, *, confirm: bool) -> BackupSet:
    """Put a set among the others that was made elsewhere. Raises `RefusalError`.

    In this order: `confirmation_required`, `system_transition_in_progress` during a handover, `backup_damaged`,
    `target_exists` beside another set of the same id. The very same set twice is one.
    """
    own = {Demand.CONFIRMATION: person_agreed(confirm=confirm)}
    async with under(house, caller, ADD_ROW, workflow_id=None, own=own):
        added = proved(house, await house.backups.add(data))
        await tell(house, caller, added.id, "take_in")
        return added


async def _make(hold: Hold, wanted: Wanted, job: Job) -> None:
    house, caller = hold.house, hold.caller
    await refuse_unsettled(house)
    made = await back_up(house, wanted, job.report)
    await tell(house, caller, made.id, "create")
    job.report(Progress(step="trim"))
    trimmed = await trim(house, caller)
    job.result = {"backup": made, "removed": trimmed.removed, "stayed": trimmed.stayed}
