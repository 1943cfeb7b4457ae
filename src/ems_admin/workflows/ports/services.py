"""The services of a site as they are seen.

Natively a service is a process: what is said of containers is said of it as far as it applies.
Source: `site.md` 8; `http.md` 5.3 (Maintenance, containers); `faults.md` D1, F19, F27, F29.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from attrs import frozen

from ems_admin.machines.codes import Code


class ServiceState(StrEnum):
    """What one service was seen doing."""

    ABSENT = "absent"
    STARTING = "starting"
    RUNNING = "running"
    RESTARTING = "restarting"
    EXITED = "exited"
    STOPPED = "stopped"
    """Down on purpose: whoever stopped it wants it so until it is started again (F27)."""
    UNKNOWN = "unknown"


class Health(StrEnum):
    """What one service says of itself, asked from outside."""

    HEALTHY = "healthy"
    STARTING = "starting"
    UNHEALTHY = "unhealthy"
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class SeenService:
    """One service as it was observed."""

    service: str
    state: ServiceState
    health: Health
    build_id: str | None
    digest: str | None
    """Of what really runs: program tree natively, image otherwise."""
    image: str | None
    url: str | None
    """Where it answers, without a trailing slash."""
    dashboard_url: str | None
    started_at: datetime | None
    exit_code: int | None


@frozen(kw_only=True)
class Seen:
    """The engine answered. A service that is not listed is absent."""

    services: tuple[SeenService, ...]


@frozen(kw_only=True)
class NotSeen:
    """The engine could not be asked: nothing is concluded."""

    code: Code


Observation: TypeAlias = Seen | NotSeen


@frozen(kw_only=True)
class ServiceContainer:
    """One service, or the Admin itself, with the container that bears its name."""

    service: str
    container: str | None
    """Its name; `None` when there is none, and natively."""
    image: str | None
    image_id: str | None
    """Of what it was really started from: the image's id, natively the digest of the program tree."""
    state: ServiceState
    health: Health
    started_at: datetime | None
    ours: bool
    """It carries the labels of this site, or is not there; a stranger under the name of a service is not ours."""
    protected: bool
    """The Admin's own: nothing but its replacement acts on it."""
