"""Whether the daemon can be asked, and whether it is one that we can work with.

Source: `site.md` 8 (engine codes); `faults.md` D1, F19.
"""

from __future__ import annotations

from typing import Final

from aiodocker.exceptions import DockerError

from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.docker.words import said
from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import EngineKind
from ems_admin.workflows.ports.engine import EngineStatus

OLDEST: Final = (1, 40)
"""Of its interface: Docker 19.03, the first that keeps to what is relied on here."""


async def status(daemon: Daemon) -> EngineStatus:
    """Ask the daemon for its version. Never raises."""
    try:
        async with daemon.asked() as docker:
            version = (await docker.version()).get("ApiVersion")
    except UnaskedError as error:
        return _not_ready(error.code)
    except (DockerError, KeyError, ValueError, AttributeError) as error:
        words = said(error) if isinstance(error, DockerError) else "no answer of a Docker daemon"
        return _not_ready(Code.DOCKER_DAEMON_UNREACHABLE, words)
    if too_old(version):
        return _not_ready(Code.DOCKER_DAEMON_UNREACHABLE, f"api {version}")
    return EngineStatus(kind=EngineKind.DOCKER, ready=True)


def too_old(version: object) -> bool:
    """Say whether an interface is older than what we need, or none that we know."""
    try:
        major, minor = str(version).split(".")
        return (int(major), int(minor)) < OLDEST
    except ValueError:
        return True


def _not_ready(code: Code, detail: str | None = None) -> EngineStatus:
    return EngineStatus(kind=EngineKind.DOCKER, ready=False, code=code, detail=detail)
