"""A short trial of an image: it says which build it is, and touches nothing.

Source: `replacement.md` 7.2; `faults.md` F20, F42.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from aiodocker import Docker
from aiodocker.containers import DockerContainer
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.containers import labelled
from ems_admin.docker.daemon import ACT, CONFLICT, NOT_FOUND, Daemon
from ems_admin.docker.labels import SITE, SMOKE
from ems_admin.docker.replacement.limits import Limits
from ems_admin.docker.replacement.target import ADMIN
from ems_admin.docker.replacement.updaters import LINES
from ems_admin.docker.words import printed
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure

NAME: Final = "ems-admin-smoke-"
PROCESSES: Final = 64
FAILED: Final = EngineFailure(code=Code.IMAGE_SMOKE_FAILED, detail=ADMIN)


@frozen(kw_only=True)
class Smoke:
    """One trial, for one operation of one site."""

    site: str
    operation_id: str
    image_id: str
    build_id: str
    """What it has to say, as a word of its own."""
    limits: Limits

    @property
    def name(self) -> str:
        """Name its container."""
        return f"{NAME}{self.operation_id}"

    async def run(self, daemon: Daemon) -> Done | EngineFailure:
        """Run `--version`, and remove all that it took. Raises `UnaskedError` or `DockerError`.

        `image_smoke_failed` with its last words; `container_name_conflict` when a stranger has the name.
        """
        async with daemon.asked(self.limits.smoke + 2 * ACT) as docker:
            await clear(docker, self.site)
            creating = asyncio.create_task(self._created(docker))
            try:
                container = await asyncio.shield(creating)
                return container if isinstance(container, EngineFailure) else await self._answer(docker, container)
            finally:
                # A create that nobody waits for any more comes about all the same.
                made = await creating
                if isinstance(made, DockerContainer):
                    await _remove(made)

    async def _created(self, docker: Docker) -> DockerContainer | EngineFailure:
        try:
            return await docker.containers.create(self._body(), name=self.name)
        except DockerError as error:
            if error.status == CONFLICT:
                return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=self.name)
            if error.status == NOT_FOUND:
                return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=ADMIN)
            return FAILED  # the daemon is there, and cannot lay out what it has stored of this image

    async def _answer(self, docker: Docker, container: DockerContainer) -> Done | EngineFailure:
        try:
            async with asyncio.timeout(self.limits.smoke.total_seconds()):
                await container.start()
                ended = await container.wait()
        except TimeoutError:
            return EngineFailure(code=Code.IMAGE_SMOKE_FAILED, detail="timeout")
        except DockerError:
            return FAILED  # what it should start is not there, or is no program
        words = await printed(docker, container.id, LINES)
        code = ended.get("StatusCode")
        if code == 0 and any(self.build_id in line.split() for line in words):
            return Done()
        return EngineFailure(
            code=Code.IMAGE_SMOKE_FAILED, detail=ADMIN, message="\n".join(words) or None, exit_code=code or None
        )

    def _body(self) -> dict[str, Any]:
        return {
            "Image": self.image_id,
            "Cmd": ["--version"],
            "Labels": {SITE: self.site, SMOKE: self.operation_id},
            "Healthcheck": {"Test": ["NONE"]},
            "HostConfig": {
                "NetworkMode": "none",
                "ReadonlyRootfs": True,
                "RestartPolicy": {"Name": "no"},
                "CapDrop": ["ALL"],
                "SecurityOpt": ["no-new-privileges"],
                "PidsLimit": PROCESSES,
                # Whatever this daemon does with logs: these are read once, in a moment.
                "LogConfig": {"Type": "json-file", "Config": {}},
            },
        }


async def clear(docker: Docker, site: str, operation_id: str | None = None) -> None:
    """Remove what a cut trial has left, of one operation or of any. Raises `UnaskedError` or `DockerError`."""
    trials = SMOKE if operation_id is None else f"{SMOKE}={operation_id}"
    for left in await labelled(docker, f"{SITE}={site}", trials):
        await _remove(docker.containers.container(left.id))


async def _remove(container: DockerContainer) -> None:
    """Remove a container that was made or found here by its label; one that is going already is left to go."""
    try:
        await container.delete(force=True, v=True)
    except DockerError as error:
        if error.status not in {NOT_FOUND, CONFLICT}:
            raise
