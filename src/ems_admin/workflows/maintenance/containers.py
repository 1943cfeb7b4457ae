"""The containers of the site, one by one: looked at, and started, stopped or restarted as a person asks.

The purpose of a stop is kept by the engine (`docs/adr` 43). While an operation is under way its record says what runs,
and no person interferes. Source: `http.md` 5.3 (Maintenance, containers); `faults.md` F27, F29, F38.
"""

from __future__ import annotations

from typing import Final

from attrs import define, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import (
    CONTAINER_CONTROL,
    ContainerAction,
    Control,
    Controlling,
    Holder,
    control_refusal,
)
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, person_agreed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_build
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.engine import Deployment, Done, EngineFailure, Progress
from ems_admin.workflows.ports.records import JournalLine, RefusalError
from ems_admin.workflows.ports.services import NotSeen, ServiceContainer, ServiceState

ROW: Final = AuthorityRow(
    demands=(Demand.CONFIRMATION, Demand.NO_TRANSITION, Demand.CLAIM, Demand.TARGET),
    claim=WorkKind.CONTAINER_ACTION,
)
MOST_LINES: Final = 500
OURS: Final = frozenset({Holder.SERVICE, Holder.NOBODY})
"""Whose log is shown: a service of ours, also one whose container is gone."""
LABELS: Final = {
    ContainerAction.START: "Start {service}",
    ContainerAction.STOP: "Stop {service}",
    ContainerAction.RESTART: "Restart {service}",
}


@frozen(kw_only=True)
class Containers:
    """Every service, strangers under their names, and the Admin; `None` while the engine cannot be asked."""

    containers: tuple[ServiceContainer, ...] | None
    unseen: Code | None
    """Why they could not be looked at."""


@frozen(kw_only=True)
class ServiceLog:
    """The last lines of a service's log, secrets masked; `None` while the engine cannot be asked."""

    service: str
    lines: tuple[str, ...] | None
    unseen: Code | None


async def containers(house: House) -> Containers:
    """List them. Never refuses: an engine that cannot be asked is shown as that."""
    rows = await house.engine.containers()
    if isinstance(rows, NotSeen):
        return Containers(containers=None, unseen=rows.code)
    return Containers(containers=rows, unseen=None)


async def service_log(house: House, service: str, lines: int) -> ServiceLog:
    """Give the last lines, at most `MOST_LINES`. Raises `RefusalError` with `not_found` for what is no service of ours.

    The Admin's own log is none: who reads it here would see what it keeps from pages.
    """
    seen = await containers(house)
    if seen.containers is None:
        return ServiceLog(service=service, lines=None, unseen=seen.unseen)
    row = _named(seen.containers, service)
    if _holder(row) not in OURS:
        raise RefusalError(Refusal(Code.NOT_FOUND, detail=service))
    said = await house.engine.logs(service, max(0, min(lines, MOST_LINES)))
    return ServiceLog(service=service, lines=said, unseen=None)


async def control(house: House, caller: Caller, service: str, action: ContainerAction, *, confirm: bool) -> Job:
    """Claim the site, and let a job act on one service. Raises `RefusalError`; nothing was sent to the engine then.

    In this order: `confirmation_required`, `system_transition_in_progress`, who is at work, the engine's own code,
    `not_found`, `own_container_protected`, `container_name_conflict`, `ems_not_running`; for a service whose container
    is gone also `deployment_not_prepared` and `deployment_marker_invalid`.
    """
    target = _Target(service=service, action=action)
    own = {Demand.CONFIRMATION: person_agreed(confirm=confirm), Demand.TARGET: target.may_be_acted_on}
    request = sha256_of({"service": service, "action": action})
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        step = "control" if target.whole is None else "start"
        label = LABELS[action].format(service=service)
        job = house.jobs.open(job_id=hold.work.id, kind=hold.work.kind, steps=((step, label),))
        house.jobs.run(job, _act(hold, target, job, step), hold.hand_over())
        return job


@define(kw_only=True, eq=False)
class _Target:
    """One service, and what is to be done to it. Mutable: the check finds how."""

    service: str
    action: ContainerAction
    whole: Deployment | None = None
    """The stack that is to be started to bring the service back."""

    async def may_be_acted_on(self, hold: Hold) -> None:
        """Look who bears the name now."""
        asked = Control(_holder(await _listed(hold.house, self.service)), self.action)
        if refusal := control_refusal(asked):
            raise RefusalError(refusal.with_detail(self.service))
        if CONTAINER_CONTROL.classify(asked) is Controlling.RECREATES:
            self.whole = await _installed(hold.house)


async def _act(hold: Hold, target: _Target, job: Job, step: str) -> None:
    house, service = hold.house, target.service
    job.report(Progress(step=step, detail=service))
    outcome: Done | EngineFailure
    if target.whole is None:
        outcome = await house.engine.control(service, target.action, job.report)
    else:
        outcome = await house.engine.start(target.whole, job.report)
    failed = outcome if isinstance(outcome, EngineFailure) else None
    line = JournalLine(
        machine="containers",
        key=service,
        trigger=target.action,
        code=failed.code if failed else None,
        session=hold.caller.session,
    )
    await house.journal.append(line)
    if failed is not None:
        raise RefusalError(Refusal(failed.code, detail=failed.message or failed.detail))


async def _listed(house: House, service: str) -> ServiceContainer | None:
    """Look for a service. Raises `RefusalError` with the engine's own code: to act, it has to be asked."""
    seen = await house.engine.containers()
    if isinstance(seen, NotSeen):
        raise RefusalError(Refusal(seen.code))
    return _named(seen, service)


def _named(rows: tuple[ServiceContainer, ...], service: str) -> ServiceContainer | None:
    return next((row for row in rows if row.service == service), None)


def _holder(row: ServiceContainer | None) -> Holder:
    if row is None:
        return Holder.UNLISTED
    if row.protected:
        return Holder.ADMIN
    if row.state is ServiceState.ABSENT:
        return Holder.NOBODY
    return Holder.SERVICE if row.ours else Holder.STRANGER


async def _installed(house: House) -> Deployment:
    """Find the stack that was prepared. Raises `RefusalError`."""
    marker = await house.records.marker.read()
    if isinstance(marker, Absent):
        raise RefusalError(Refusal(Code.DEPLOYMENT_NOT_PREPARED))
    build = await installed_build(house)
    deployment = Deployment(manifest=build.manifest, stack=build.stack)
    if not isinstance(marker, Present) or marker.record.images != house.engine.images(deployment):
        raise RefusalError(Refusal(Code.DEPLOYMENT_MARKER_INVALID))
    return deployment
