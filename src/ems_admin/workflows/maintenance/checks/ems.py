"""The EMS and what runs it: whether the engine answers, whether the right EMS runs, and whether it is well.

Source: `http.md` 5.3 (diagnostics); `faults.md` D1, F22, F24, F26.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.values.unasked import ENGINE_UNASKED
from ems_admin.workflows.alignment.known_good import known_good_here
from ems_admin.workflows.config.preview import document
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.checks.check import Check, failed, ok, told, unavailable, warning
from ems_admin.workflows.ports.engine import (
    ContainerConflict,
    Done,
    EngineFailure,
    EngineStatus,
    Progress,
    Report,
)
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.services import Health, NotSeen, Observation, Seen, SeenService, ServiceState

START: Final = "Start it under Containers."
NOBODY: Final = "No EMS runs that could be asked."
DOWN: Final[Mapping[ServiceState, str]] = {
    ServiceState.ABSENT: f"is not there. {START}",
    ServiceState.EXITED: "has ended by itself. Read its log, then start it under Containers.",
    ServiceState.RESTARTING: "starts again and again. Read its log.",
}
"""What is said of a service that is known not to run."""
UNASKED: Final = ENGINE_UNASKED | {Code.STATE_UNREADABLE}
"""The codes of a question that was never answered."""


@frozen(kw_only=True)
class Noted:
    """What the records say of the EMS."""

    marker: Reading[DeploymentMarker]
    good: Reading[KnownGood]


async def examine(house: House, report: Report) -> tuple[Check, ...]:
    """Look at the engine and the EMS."""
    status, observation = await house.engine.status(), await house.engine.observe()
    noted = Noted(marker=await house.records.marker.read(), good=await house.records.known_good.read())
    return (
        engine(status),
        identity(observation, noted),
        health(observation),
        await _dashboard(house, observation, report),
        in_the_way(await house.engine.conflict(None)),
        await _known_good_image(house, noted.good),
    )


def engine(status: EngineStatus) -> Check:
    """Say whether the engine can be asked."""
    if status.ready:
        return ok("engine", "The engine answers.")
    return unavailable("engine", told(status.code or Code.INTERNAL_ERROR, status.detail))


def identity(observation: Observation, noted: Noted) -> Check:
    """Hold what runs against what was prepared, and against what is known to be good."""
    key, marker = "ems", noted.marker
    if isinstance(observation, NotSeen):
        return unavailable(key, told(observation.code))
    if isinstance(marker, Absent):
        return warning(key, "No EMS has been prepared here. Begin Guided Setup to install one.")
    if isinstance(marker, Unreadable):
        return unavailable(key, "The note of what was prepared cannot be read: see the check of the records.")
    seen = {one.service: one for one in observation.services}
    for image in marker.record.images:
        if fault := _fault(image.service, seen.get(image.service), image.digest):
            return fault
    if isinstance(noted.good, Present) and noted.good.record.ems_digest in {i.digest for i in marker.record.images}:
        return ok(key, "The EMS that was prepared runs, and it is known to be good.")
    return warning(key, "The EMS that was prepared runs, and has not been proven to be good yet. Finish the operation.")


def _fault(service: str, seen: SeenService | None, digest: str) -> Check | None:
    """Say what is not as it should be about one service."""
    state = seen.state if seen else ServiceState.ABSENT
    if state in DOWN:
        return failed("ems", f"The service {service} {DOWN[state]}")
    if state is ServiceState.STOPPED:
        return warning("ems", f"The service {service} was stopped on purpose. {START}")
    if state is ServiceState.STARTING:
        return warning("ems", f"The service {service} is just starting. Look again in a moment.")
    if seen is None or state is not ServiceState.RUNNING or seen.digest is None:
        return unavailable("ems", f"Nobody can say what the service {service} does or runs from. Look again.")
    if seen.digest != digest:
        return failed("ems", f"The service {service} runs from another image than was prepared. Upgrade it again.")
    return None


def health(observation: Observation) -> Check:
    """Say how the services that run answer, the worst first."""
    key = "health"
    if isinstance(observation, NotSeen):
        return unavailable(key, told(observation.code))
    running = [one for one in observation.services if one.state is ServiceState.RUNNING]
    by_health = {one.health: one.service for one in reversed(running)}
    if not running:
        return unavailable(key, NOBODY)
    if service := by_health.get(Health.UNHEALTHY):
        return failed(key, f"The service {service} says that it is not well. Read its log.")
    if service := by_health.get(Health.UNKNOWN):
        return unavailable(key, f"The service {service} could not be asked how it is.")
    if service := by_health.get(Health.STARTING):
        return warning(key, f"The service {service} has not answered since its start. Look again in a moment.")
    return ok(key, "Every service that runs says that it is well.")


async def _dashboard(house: House, observation: Observation, report: Report) -> Check:
    key = "dashboard"
    try:
        config = document(await house.config.config())
    except RefusalError:
        return unavailable(key, "The configuration cannot be read, so nobody knows whether there is to be a dashboard.")
    if config is None:
        return ok(key, "There is no configuration yet, and so no dashboard.")
    if not wants_dashboard(config):
        return ok(key, "The configuration has the dashboard switched off.")
    if not isinstance(observation, Seen) or not any(s.state is ServiceState.RUNNING for s in observation.services):
        return unavailable(key, NOBODY)
    return dashboard(await house.engine.probe(dashboard=True, report=_under(report)))


def dashboard(outcome: Done | EngineFailure) -> Check:
    """Judge what came of loading it. What else is wrong with a service is told by the other checks."""
    if isinstance(outcome, Done):
        return ok("dashboard", "The dashboard loads.")
    if outcome.detail == "dashboard":
        return failed("dashboard", told(Code.DASHBOARD_UNREACHABLE))
    why = told(outcome.code) if outcome.code in UNASKED else "The EMS is not well, so its dashboard was not asked for."
    return unavailable("dashboard", why)


def wants_dashboard(config: Mapping[str, Any]) -> bool:
    """Say whether the config has the dashboard switched on."""
    features = config.get("features")
    return isinstance(features, Mapping) and features.get("dashboard") is True


def in_the_way(found: ContainerConflict | NotSeen | None) -> Check:
    """Say whether somebody else bears a name that a service needs."""
    match found:
        case None:
            return ok("container_conflict", "No other container bears the name of a service.")
        case NotSeen(code=code):
            return unavailable("container_conflict", told(code))
        case ContainerConflict(container_name=name):
            return failed("container_conflict", told(Code.CONTAINER_NAME_CONFLICT, name))


async def _known_good_image(house: House, good: Reading[KnownGood]) -> Check:
    """Look whether the build to go back to is still here."""
    key = "known_good_image"
    if isinstance(good, Unreadable):
        return unavailable(key, "The note of the last good build cannot be read: see the check of the records.")
    if isinstance(good, Absent):
        return ok(key, "No build has been proven to be good yet, so there is none to keep.")
    tag = good.record.system_tag
    try:
        here = await known_good_here(house, good.record)
    except RefusalError as unasked:
        return unavailable(key, told(Code(unasked.refusal.code)))
    if here is None:
        return failed(key, told(Code.KNOWN_GOOD_IMAGE_MISSING, tag))
    return ok(key, f"The build {tag}, known to be good, is here to go back to.")


def _under(report: Report) -> Report:
    """Tell the steps of the engine as details of the one step of the examination."""
    return lambda progress: report(Progress(step="diagnostics", detail=progress.detail))
