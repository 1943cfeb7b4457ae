"""Carrying a previewed restore out (W7): over the config that was reviewed, or not at all.

It goes the one way in which the config is written. Nobody restores over a config that was changed since the preview,
and no policy of conflicts forces it.
Source: `seed 000` 2 (W7); `site.md` 1.16, 9; `http.md` 5.3 (restore/execute); `faults.md` F46.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import define

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.reading import Unreadable
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, person_agreed, under
from ems_admin.workflows.backups.planning import differs
from ems_admin.workflows.backups.plans import RestorePlan
from ems_admin.workflows.backups.tidying import tell
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.commit import Order, commit_config
from ems_admin.workflows.config.diff import diff
from ems_admin.workflows.config.preview import document, hash_of, revision_of
from ems_admin.workflows.config.settlement import refuse_unsettled
from ems_admin.workflows.config.three_ways import compare
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.maintenance.config import findings_here
from ems_admin.workflows.maintenance.convergence import converge
from ems_admin.workflows.ports.backups import BackupSet
from ems_admin.workflows.ports.engine import Progress
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.runtime import RuntimeSync

ROW: Final = AuthorityRow(
    demands=(Demand.CONFIRMATION, Demand.NO_TRANSITION, Demand.CLAIM, Demand.TARGET), claim=WorkKind.BACKUP_RESTORE
)
STEPS: Final = (("write", "Write the configuration"), ("tell", "Tell the EMS that runs"))


async def execute(house: House, caller: Caller, plan_id: str, *, confirm: bool) -> Job:
    """Carry a plan out in a job. Raises `RefusalError`; every byte is then as it was, and stays so if the job fails.

    In this order: `confirmation_required`, `system_transition_in_progress`, who is at work, `config_commit_unprovable`,
    `plan_unknown` (also when the set is another one by now), `conflict` with revision, difference and three ways,
    `validation_failed`.
    """
    target = _Target(plan_id=plan_id)
    own = {Demand.CONFIRMATION: person_agreed(confirm=confirm), Demand.TARGET: target.is_what_was_reviewed}
    request = sha256_of({"plan": plan_id})
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        job = house.jobs.open(job_id=hold.work.id, kind=hold.work.kind, steps=STEPS)
        house.jobs.run(job, _restore(hold, target.reviewed, job), hold.hand_over())
        return job


@define(kw_only=True, eq=False)
class _Target:
    """What a plan is about to be written over. Mutable: the check finds the plan that is then carried out."""

    plan_id: str
    plan: RestorePlan | None = None

    @property
    def reviewed(self) -> RestorePlan:
        """The plan, checked."""
        if self.plan is None:
            raise LookupError("a plan is checked before it is carried out")
        return self.plan

    async def is_what_was_reviewed(self, hold: Hold) -> None:
        """Find the plan, its set and the live config as they were previewed."""
        house = hold.house
        await refuse_unsettled(house)
        plan = house.restores.find(self.plan_id, hold.caller, house.clock.boottime())
        if plan is None or not await _is_the_same_set(house, plan):
            raise RefusalError(Refusal(Code.PLAN_UNKNOWN))
        if hash_of(await house.config.config()) != plan.base_revision:
            await _conflict(house, plan)
        if found := await findings_here(house, plan.config):
            raise RefusalError(Refusal(Code.VALIDATION_FAILED, more={"errors": found}))
        self.plan = plan


async def _restore(hold: Hold, plan: RestorePlan, job: Job) -> None:
    house = hold.house
    job.report(Progress(step="write"))
    backup, changed = None, differs(await house.config.config(), plan.data, plan.secrets)
    if changed:
        order = Order(
            path=WritePath.BACKUP_RESTORE,
            data=plan.data,
            secrets=plan.secrets,
            base_revision=plan.base_revision,
            backup=plan.base_revision is not None,
            over_unreadable=True,
        )

        async def somebody_else_changed_it() -> None:
            await _conflict(house, plan)

        backup = await commit_config(house, order, when_stale=somebody_else_changed_it)
    house.restores.forget(plan.id)
    await tell(house, hold.caller, plan.backup.id, "restore")
    job.report(Progress(step="tell"))
    sync: RuntimeSync | None = await converge(house, plan.config) if changed else None
    job.result = {
        "id": plan.backup.id,
        "changed": changed,
        "revision": revision_of(await house.config.config()),
        "backup": backup,
        "runtime_sync": sync,
    }


async def _is_the_same_set(house: House, plan: RestorePlan) -> bool:
    sets = await house.backups.sets()
    whole = [one for one in sets if isinstance(one, BackupSet)] if isinstance(sets, tuple) else []
    return any((one.id, one.sha256) == (plan.backup.id, plan.sha256) for one in whole)


async def _conflict(house: House, plan: RestorePlan) -> None:
    """Refuse, and show the backup beside what was reviewed and what is live by now."""
    live = await house.config.config()
    now: Mapping[str, Any] | None = None if isinstance(live, Unreadable) else document(live)
    more = {
        "revision": hash_of(live),
        "diff": diff(now, plan.config),
        "three_ways": compare(plan.baseline, now, plan.config),
    }
    raise RefusalError(Refusal(Code.CONFLICT, detail="config/config.json", more=more))
