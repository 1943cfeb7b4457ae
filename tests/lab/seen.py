"""An Admin or an updater as the engine shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

BUILD: Final = "io.ems-admin.build-id"


@frozen(kw_only=True)
class SeenContainer:
    """One container."""

    id: str
    name: str
    image_id: str
    build_id: str | None
    state: str
    """`created`, `running`, `restarting`, `paused` or `exited`."""
    exit_code: int
    restart_policy: str
    labels: Mapping[str, str]

    @property
    def runs(self) -> bool:
        return self.state == "running"


def seen(found: Mapping[str, Any]) -> SeenContainer:
    labels: Mapping[str, str] = found["Config"]["Labels"] or {}
    return SeenContainer(
        id=found["Id"],
        name=found["Name"].removeprefix("/"),
        image_id=found["Image"],
        build_id=labels.get(BUILD),
        state=found["State"]["Status"],
        exit_code=found["State"]["ExitCode"],
        restart_policy=found["HostConfig"]["RestartPolicy"]["Name"],
        labels=labels,
    )
