"""The container that this very process runs in, and whether its folders are those of the host.

Source: `site.md` 8 (own container, host paths); `faults.md` F29.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from aiodocker import Docker
from attrs import frozen

from ems_admin.docker.containers import Container, look
from ems_admin.docker.labels import OWN_CONTAINER

MOUNTS: Final = Path("/proc/self/mountinfo")
SHORT: Final = 12
"""Letters of an id, as the engine shows it to people."""
_ID: Final = re.compile(r"/containers/([0-9a-f]{64})/(?:hostname|hosts|resolv\.conf)\b")
"""The files that the engine lays into every container come out of a folder that bears its id."""


def own_container_id(mounts: Path = MOUNTS, environment: Mapping[str, str] = os.environ) -> str | None:
    """Name the own container; `None` outside of one, or when nobody says. Blocking.

    The hostname is no evidence: with host networking it is the host's.
    """
    try:
        found = _ID.search(mounts.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        found = None
    return found.group(1) if found else environment.get(OWN_CONTAINER) or None


async def own_container(docker: Docker, container_id: str | None) -> Container | None:
    """Inspect the own container; `None` when it is unknown. Raises `UnaskedError` or `DockerError`."""
    return None if container_id is None else await look(docker, container_id)


def is_own(container: Container, own: str | None) -> bool:
    """Say whether a container is the own one. What the environment says may be its name, or the beginning of its id."""
    if own is None:
        return False
    return own in {container.id, container.name} or (len(own) >= SHORT and container.id.startswith(own))


@frozen(kw_only=True)
class HostPath:
    """A folder that a container sees at the place where the host has it."""

    path: PurePosixPath
    writable: bool


def same_on_host(container: Container, path: PurePosixPath) -> HostPath | None:
    """Find `path` on the host; `None` when it lies elsewhere there, or in no mount at all.

    The innermost mount decides: a volume over a part of the install root hides the host's.
    """
    mounts = [mount for mount in _mounts(container) if path.is_relative_to(mount["Destination"])]
    if not mounts:
        return None
    inner = max(mounts, key=lambda mount: len(PurePosixPath(mount["Destination"]).parts))
    same = inner.get("Type") == "bind" and inner.get("Source") == inner["Destination"]
    return HostPath(path=path, writable=inner.get("RW") is True) if same else None


def _mounts(container: Container) -> list[Mapping[str, Any]]:
    found = container.said.get("Mounts")
    rows = found if isinstance(found, list) else []
    return [row for row in rows if isinstance(row, dict) and isinstance(row.get("Destination"), str)]
