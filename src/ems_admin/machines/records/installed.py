"""B3, B4, B5 and the native services: what was prepared, chosen, proven good and started.

Source: `site.md` 4.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ems_admin.machines.records.transition import CompatibilityMode, ResourceStrategy


class EngineKind(StrEnum):
    """What runs the EMS."""

    DOCKER = "docker"
    NATIVE = "native"


@frozen(kw_only=True)
class DeployedImage:
    """One service of the stack and exactly what it was prepared from. `image` is null natively."""

    service: str
    image: str | None
    digest: str


@frozen(kw_only=True)
class DeploymentMarker:
    """B3: what was prepared. Whether it runs is observed, never stored."""

    release: str
    config_sha256: str
    owner: str
    workflow_id: str
    preview_id: str
    images: tuple[DeployedImage, ...]
    engine: EngineKind
    workspace: str
    """Relative to the install root."""
    puid: int
    pgid: int
    permissions_verified: bool
    prepared_at: datetime


@frozen(kw_only=True)
class SelectedRelease:
    """B4: the release that was last fetched on behalf of a workflow."""

    tag: str
    source: str


@frozen(kw_only=True)
class KnownGood:
    """B5: the System Build that was last proven healthy. It survives every workflow."""

    system_tag: str
    build_id: str
    revision: str
    admin_image: str | None
    admin_digest: str
    admin_build_id: str
    admin_revision: str
    ems_image: str | None
    ems_digest: str
    compatibility_mode: CompatibilityMode
    resource_strategy: ResourceStrategy
    aligned_at: datetime
    healthcheck_at: datetime


class ServicePhase(StrEnum):
    """What was last intended for a native service; `starting` is durable before the spawn."""

    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    """By a person, and it stays so until it is started again (F27); durable before the process hears of it."""


@frozen(kw_only=True)
class NativeService:
    """One child process. It is identified by pid, start ticks and boot id together, never by pid alone."""

    build_id: str
    program_sha256: str
    attempt: str
    pid: int | None
    start_ticks: int | None
    boot_id: str | None
    port: int
    phase: ServicePhase
    since: datetime


@frozen(kw_only=True)
class NativeServices:
    """All native services by name, as pairs in name order."""

    format_version: int
    services: dict[str, NativeService]
