"""How a site is opened, and what the environment says about it. Source: `site.md` 8, 10; `faults.md` D3, F22."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from attrs import frozen

from ems_admin.docker.daemon import DEFAULT_SOCKET
from ems_admin.docker.place import DockerPlace
from ems_admin.machines.records.installed import EngineKind
from ems_admin.native.place import Place

STABILITY: Final = timedelta(seconds=10)
STARTED_FOR: Final = "EMS_ADMIN_STARTED_FOR"


@frozen(kw_only=True)
class Options:
    """How a site is opened. Paths may be relative; `catalogue` is a folder or an address."""

    install_root: Path
    admin_data: Path
    engine: EngineKind = EngineKind.NATIVE
    docker_host: str = DEFAULT_SOCKET
    """Where the daemon is, in the words of `DOCKER_HOST`."""
    catalogue: str | None = None
    stability: timedelta = STABILITY
    """How long what was started has to stay up before it counts as running."""
    puid: str | None = None
    pgid: str | None = None
    started_for: str | None = None

    @property
    def releases(self) -> Path:
        """The cache that builds are imported into."""
        return self.admin_data / "releases"

    @property
    def place(self) -> Place:
        """Where everything lies natively."""
        return Place(install_root=self.install_root, admin_data=self.admin_data, releases=self.releases)

    @property
    def docker_place(self) -> DockerPlace:
        """Where everything lies for containers."""
        return DockerPlace(install_root=self.install_root, admin_data=self.admin_data)

    @classmethod
    def at(cls, install_root: Path, environment: Mapping[str, str] = os.environ, **more: object) -> Options:
        """Read what the environment says about a site (`EMS_ADMIN_DATA_DIR` and others)."""
        data = environment.get("EMS_ADMIN_DATA_DIR")
        fields = {
            "engine": EngineKind(environment.get("EMS_ADMIN_ENGINE") or EngineKind.NATIVE),
            "stability": _seconds(environment.get("EMS_ADMIN_STABILITY")),
            **more,
        }
        return cls(
            install_root=install_root,
            admin_data=Path(data) if data else install_root / "admin",
            docker_host=environment.get("DOCKER_HOST") or DEFAULT_SOCKET,
            puid=environment.get("EMS_ADMIN_PUID"),
            pgid=environment.get("EMS_ADMIN_PGID"),
            started_for=environment.get(STARTED_FOR),
            **fields,  # type: ignore[arg-type]  # the remaining fields, checked by attrs
        )


def _seconds(text: str | None) -> timedelta:
    """Read a number of seconds; what is none counts for nothing."""
    try:
        return timedelta(seconds=float(text)) if text else STABILITY
    except (ValueError, OverflowError):
        return STABILITY
