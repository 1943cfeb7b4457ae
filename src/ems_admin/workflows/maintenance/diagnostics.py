"""The site examined as a whole. It changes nothing, and never refuses: what cannot be asked is told as such.

Source: `http.md` 5.3 (diagnostics); `site.md` 9; `faults.md` D1.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.maintenance.checks import admin, config, ems
from ems_admin.workflows.maintenance.checks.check import Check, CheckStatus, worst
from ems_admin.workflows.ports.engine import Progress, Report

STEP: Final = "diagnostics"
STEPS: Final = ((STEP, "Examine the site"),)


@frozen(kw_only=True)
class Summary:
    """The gravest verdict, and how many there are of each."""

    status: CheckStatus
    ok: int
    warning: int
    failed: int
    unavailable: int


@frozen(kw_only=True)
class Diagnosis:
    """Everything that was looked at, in a fixed order."""

    checks: tuple[Check, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        """Give what is known to be wrong."""
        return tuple(check for check in self.checks if check.status is CheckStatus.FAILED)

    @property
    def summary(self) -> Summary:
        """Count the verdicts."""
        counts = {status.value: sum(check.status is status for check in self.checks) for status in CheckStatus}
        return Summary(status=worst(self.checks), **counts)


async def diagnose(house: House, report: Report) -> Diagnosis:
    """Examine the site, reporting `diagnostics`. Never raises `RefusalError`, and waits no longer than a health check.

    The areas come one after the other: an engine that is slow answers one question at a time.
    """
    report(Progress(step=STEP, percent=0, detail="EMS"))
    of_ems = await ems.examine(house, report)
    report(Progress(step=STEP, percent=60, detail="configuration"))
    of_config = await config.examine(house)
    report(Progress(step=STEP, percent=80, detail="Admin"))
    of_admin = await admin.examine(house)
    report(Progress(step=STEP, percent=100))
    return Diagnosis(checks=(*of_ems, *of_config, *of_admin))


async def run_diagnostics(house: House) -> Job:
    """Let a job examine the site; a second request joins the one that runs. Its result is the diagnosis.

    It changes nothing, so neither a start-up check that has not passed nor a folder that cannot be written closes it:
    these are what people come here for.
    """
    claimed = house.work.begin(WorkKind.DIAGNOSTICS, request_hash=sha256_of({"kind": WorkKind.DIAGNOSTICS}))
    entry = claimed.entry
    if claimed.joined:
        return await house.jobs.of(entry)
    job = house.jobs.open(job_id=entry.id, kind=entry.kind, steps=STEPS)
    house.jobs.run(job, _run(house, job), lambda: house.work.release(entry.id))
    return job


async def _run(house: House, job: Job) -> None:
    found = await diagnose(house, job.report)
    job.result = {"checks": found.checks, "summary": found.summary}
