"""Backups from the command line. Only a restore takes the site; the rest goes on beside the Admin that runs.

Beside it nothing is settled, nothing is trimmed and no line is added to the journal, which is its own.
Source: `site.md` 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ems_admin.cli.keeping import Compare, Create, Delete, Errand, Inspect, List, Restore
from ems_admin.http.shown import shown
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.backup import BackupOrigin
from ems_admin.site import Options, Site
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.backups.creating import Wanted, back_up
from ems_admin.workflows.backups.planning import Wish
from ems_admin.workflows.backups.tidying import remove
from ems_admin.workflows.config import settlement
from ems_admin.workflows.ports.engine import Progress
from ems_admin.workflows.ports.records import RefusalError


async def run(options: Options, errand: Errand) -> Mapping[str, Any]:
    """Do it and give what came of it as JSON. Raises `RefusalError`."""
    if isinstance(errand, Restore):
        return await _restore(options, errand)
    site = await Site.looked_at(options)
    done: Any
    match errand:
        case List():
            done = await site.backups.list()
        case Create(scope=scope, label=label, password=password):
            SiteFiles(admin_data=options.admin_data).prepare()  # nobody may ever have served this site
            wanted = Wanted(scope=scope, label=label, origin=BackupOrigin.PERSON, password=password)
            done = await back_up(site.house, wanted, _nobody_listens)
        case Inspect(id=backup_id, password=password):
            done = await site.backups.inspect(backup_id, password)
        case Compare(id=backup_id, password=password, file=part):
            done = await site.backups.diff(backup_id, password, part=part)
        case Delete(id=backup_id):
            await remove(site.house, backup_id)
            return {"id": backup_id}
    told: Mapping[str, Any] = shown(done)
    return told


async def _restore(options: Options, errand: Restore) -> Mapping[str, Any]:
    """Preview under the site lock, and go on by that very preview when the person agreed."""
    async with Site.taken(options) as site:
        # Of the start-up check only this matters here: no engine is asked by a restore.
        await settlement.settle(site.house)
        site.house.startup.passed = True
        wish = Wish(id=errand.id, scope=errand.scope, conflict_policy=errand.conflict_policy, password=errand.password)
        preview = await site.backups.preview_restore(wish)
        if errors := preview.validation.errors:
            raise RefusalError(Refusal(Code.VALIDATION_FAILED, more={"errors": shown(errors)}))
        if not errand.confirm or preview.plan_id is None:
            return {"preview": shown(preview), "restored": None}
        job = await site.ended(await site.backups.restore(preview.plan_id, confirm=True))
        return {"preview": shown(preview), "restored": shown(job.result)}


def _nobody_listens(_progress: Progress) -> None:
    """A command prints what came of it, and nothing before."""
