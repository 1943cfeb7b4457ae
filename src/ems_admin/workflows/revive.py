"""After a reboot, or a stop of the whole site: what was proven good and is meant to run is started again.

Only what a finished operation left running counts. While an operation is under way its own record says what happens,
and nothing is started behind its back (`faults.md` F27). Source: `site.md` 8 (children), 10 (`demo`).
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.outlook import is_pending
from ems_admin.machines.records.installed import EngineKind
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.config.preview import revision_of
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.outcomes import require_done
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import Deployment, Progress
from ems_admin.workflows.ports.services import NotSeen, ServiceState

STEPS: Final = (("start", "Start the EMS again"), ("settle", "Watch that it stays up"))


async def revive(house: House) -> Job | None:
    """Start the known-good EMS when nothing of it runs; `None` when there is nothing to do, or no proof for it."""
    deployment = await _meant_to_run(house)
    if deployment is None or house.work.holder is not None:
        return None
    entry = house.work.begin(WorkKind.CONTAINER_ACTION).entry
    job = house.jobs.open(job_id=entry.id, kind=entry.kind, steps=STEPS)
    house.jobs.run(job, _start(house, deployment, job), lambda: house.work.release(entry.id))
    return job


async def _meant_to_run(house: House) -> Deployment | None:
    """Find the deployment that was prepared here, proven good, and is down: every doubt means no."""
    # Containers have a restart policy of their own; children have nobody but their Admin.
    if house.engine.kind is not EngineKind.NATIVE or not await _nothing_is_pending(house):
        return None
    marker = await house.records.marker.read()
    good = await house.records.known_good.read()
    if not isinstance(marker, Present) or not isinstance(good, Present):
        return None
    live = revision_of(await house.config.config())
    if (marker.record.release, marker.record.config_sha256) != (good.record.system_tag, live):
        return None
    if not await _is_down(house):
        return None
    build = await house.builds.resources(good.record.system_tag)
    return None if isinstance(build, BuildFailure) else Deployment(manifest=build.manifest, stack=build.stack)


async def _nothing_is_pending(house: House) -> bool:
    match await house.records.transition.read():
        case Absent():
            return True
        case Present(record=record):
            return not is_pending(record)
        case Unreadable():
            return False


async def _is_down(house: House) -> bool:
    observation = await house.engine.observe()
    down = {ServiceState.EXITED, ServiceState.ABSENT}
    return not isinstance(observation, NotSeen) and all(seen.state in down for seen in observation.services)


async def _start(house: House, deployment: Deployment, job: Job) -> None:
    job.report(Progress(step="start"))
    require_done(await house.engine.fetch(deployment, _quietly))
    require_done(await house.engine.start(deployment, job.report))
    job.report(Progress(step="settle", percent=0))
    require_done(await house.engine.settle(house.stability, job.report))


def _quietly(_progress: Progress) -> None:
    """Fetching again what is here already is not worth a line."""
