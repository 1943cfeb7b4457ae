"""What runs the EMS. Answers are three-valued wherever "no" and "could not ask" differ.

Source: `site.md` 8; `faults.md` D1, F19 to F26.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from enum import StrEnum
from typing import Protocol, TypeAlias

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.records.build import Manifest, Stack
from ems_admin.machines.records.installed import DeployedImage, EngineKind
from ems_admin.workflows.ports.services import NotSeen, Observation, ServiceContainer


@frozen(kw_only=True)
class Progress:
    """How far one step of a piece of work has come."""

    step: str
    percent: int | None = None
    """0 to 100 and never falling; `None` while nobody can say."""
    detail: str | None = None
    line: str | None = None
    """A line for the log."""


Report: TypeAlias = Callable[[Progress], None]


@frozen(kw_only=True)
class EngineStatus:
    """Whether the engine can be asked, and if not, by which code."""

    kind: EngineKind
    ready: bool
    code: Code | None = None
    detail: str | None = None


@frozen(kw_only=True)
class Done:
    """It is so, however it came about."""


@frozen(kw_only=True)
class EngineFailure:
    """It is not so, and this is known. `detail` names a service or narrows the code."""

    code: Code
    detail: str | None = None
    message: str | None = None
    """What the process or engine said last, secrets masked."""
    exit_code: int | None = None
    """Of a process that ended by itself."""


@frozen(kw_only=True)
class ContainerConflict:
    """A container that bears a name which one of ours needs."""

    container_name: str
    container_id: str
    image: str | None
    status: str
    selected_image: str | None
    """Of the service that needs the name."""
    image_mismatch: bool
    replace_available: bool
    """There is an image to replace it with."""
    safe_fix_available: bool
    """It has stopped, so that nothing is lost by removing it."""


class Activity(StrEnum):
    """Whether an Admin replacement runs. Only `INACTIVE` permits anything."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class Deployment:
    """A build together with the stack that is to run."""

    manifest: Manifest
    stack: Stack


class Engine(Protocol):
    """An engine, native or Docker."""

    @property
    def kind(self) -> EngineKind:
        """Which engine this is."""
        ...

    async def status(self) -> EngineStatus:
        """Ask whether it can be asked."""
        ...

    async def fetch(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        """Bring images or program trees here and verify their digests, reporting `fetch`. What runs is not touched."""
        ...

    def images(self, deployment: Deployment) -> tuple[DeployedImage, ...]:
        """Name what each EMS service is to run from, with its digest."""
        ...

    async def write_stack(self, deployment: Deployment) -> Done | EngineFailure:
        """Write the readable stack file of exactly what is to run into the install root, atomically."""
        ...

    async def start(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        """Start every service in dependency order; one that runs already from the same digest is left alone.

        Before a spawn its intent is durable, so that a start which was cut is adopted or stopped, never doubled.
        Reports `start`.
        """
        ...

    async def settle(self, window: timedelta, report: Report) -> Done | EngineFailure:
        """Watch for `window` that every service stays running, reporting `settle`; `ems_not_running` otherwise."""
        ...

    async def probe(self, *, dashboard: bool, report: Report) -> Done | EngineFailure:
        """Ask every service for its health from outside, within its start period; then the dashboard if wanted.

        `healthcheck_failed`, with detail `dashboard` when only that is silent. Reports `probe`.
        """
        ...

    async def stop(self, report: Report) -> Done | EngineFailure:
        """Stop every service in reverse order."""
        ...

    async def observe(self) -> Observation:
        """Look at every service. Never raises, answers within 10 s."""
        ...

    async def present(self, deployment: Deployment) -> bool | NotSeen:
        """Say whether all that `start` would start from is here and verifies, without fetching anything.

        Asked before anything is stopped for a way back: a known-good build may have been cleared away (F24).
        """
        ...

    async def containers(self) -> tuple[ServiceContainer, ...] | NotSeen:
        """List the services, the Admin's own container, and strangers under their names. As quick as `observe`."""
        ...

    async def control(self, service: str, action: ContainerAction, report: Report) -> Done | EngineFailure:
        """Start, stop or restart one service as it is, reporting `control`; a start returns once it answers.

        That a stop is on purpose is durable before the process hears of it, until the service is started again (F27).
        `own_container_protected` for the Admin, `container_name_conflict` for a stranger, `ems_not_running` for what
        is not there to be started.
        """
        ...

    async def adopt(self) -> Done | EngineFailure:
        """Settle, by looking, every start and stop that a cut left half done."""
        ...

    async def conflict(self, container_name: str | None) -> ContainerConflict | NotSeen | None:
        """Look at the container that bears this name and is not ours; of any service when no name is given."""
        ...

    async def clear_conflict(self, conflict: ContainerConflict, *, replace: bool) -> Done | EngineFailure:
        """Remove it by its id: a stopped one, or with `replace` a running one, which is stopped first."""
        ...

    async def prune(self, builds: frozenset[str]) -> None:
        """Remove the program trees of builds that are not in `builds`, never one that runs or is named to run.

        What cannot be told apart, or removed, stays for the next time.
        """
        ...

    async def logs(self, service: str, lines: int) -> tuple[str, ...]:
        """Give the last lines of a service's log, secrets masked."""
        ...

    async def replacement_activity(self, operation_id: str | None) -> Activity:
        """Say whether an Admin replacement runs, of this operation or of any."""
        ...
