"""Single acts on one container: what the daemon said to each, for what came of it is found by looking.

An act that got no answer raises `UnaskedError`: whoever takes the step again looks first, and finds it done or not.
Source: `replacement.md` 7.4; `faults.md`, Docker and images.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, Final, TypeVar

from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.containers import Container, Doing, look
from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.docker.images import Image, find
from ems_admin.docker.replacement.limits import POLL, Limits
from ems_admin.docker.replacement.updaters import LINES
from ems_admin.docker.words import printed, said
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.running import Clock

NOT_DONE: Final = Code.REPLACEMENT_UPDATER_FAILED
"""For an act that the daemon refuses without a reason of its own."""
ENDED: Final = frozenset({Doing.CREATED, Doing.EXITED})
TAKEN: Final = ("port is already allocated", "address already in use")
"""How the daemon says that a port or a fixed address still has another holder."""

T = TypeVar("T")


@frozen(kw_only=True)
class Acts:
    """Acts with their limits."""

    daemon: Daemon
    clock: Clock
    limits: Limits

    async def look(self, which: str) -> Container | None:
        """Inspect a container; `None` when there is none. Raises `UnaskedError`, also for one that says nothing."""
        async with self.daemon.asked() as docker:
            found = await _answered(look(docker, which))
        if found is not None and (found.doing is Doing.UNKNOWN or not found.id):
            raise UnaskedError(Code.DOCKER_DAEMON_UNREACHABLE)
        return found

    async def image(self, reference: str) -> Image | None:
        """Look for an image; `None` when it is not here. Raises `UnaskedError`."""
        async with self.daemon.asked() as docker:
            return await _answered(find(docker, reference))

    async def words_of(self, container: Container) -> str | None:
        """Give the last lines that it has printed, masked. Raises `UnaskedError`."""
        async with self.daemon.asked() as docker:
            return "\n".join(await printed(docker, container.id, LINES)) or None

    async def starts_of(self, container: Container) -> int:
        """Count how often it has been started, as far as the daemon remembers: since it started itself, at least one.

        Raises `UnaskedError`.
        """
        if container.started_at is None:
            return 0
        until = self.clock.now() + timedelta(seconds=1)  # the clock tells whole seconds
        filters = json.dumps({"container": [container.id], "event": ["start"]})
        asked = {"since": "0", "until": str(int(until.timestamp())), "filters": filters}
        async with self.daemon.asked() as docker:
            return max(1, await _answered(_lines(docker, "events", asked)))

    async def create(self, name: str, body: Mapping[str, Any]) -> DockerError | None:
        """Create a container, without starting it."""
        return await self._ask(lambda docker: docker.containers.create(body, name=name))

    async def start(self, container: Container) -> DockerError | None:
        """Start it."""
        return await self._ask(lambda docker: docker.containers.container(container.id).start())

    async def stop(self, container: Container) -> DockerError | None:
        """Ask it to end, and kill it when its time is over."""
        grace = self.limits.grace
        return await self._ask(
            lambda docker: docker.containers.container(container.id).stop(t=int(grace.total_seconds())),
            limit=grace + self.limits.act,
        )

    async def thaw(self, container: Container) -> None:
        """Let one go on that somebody has frozen: it could neither be stopped nor started."""
        if container.doing is Doing.PAUSED:
            await self._ask(lambda docker: docker.containers.container(container.id).unpause())

    async def rename(self, container: Container, name: str) -> DockerError | None:
        """Give it another name."""
        return await self._ask(lambda docker: docker.containers.container(container.id).rename(name))

    async def remove(self, container: Container, *, force: bool = False) -> DockerError | None:
        """Remove it, and none of its volumes."""
        return await self._ask(lambda docker: docker.containers.container(container.id).delete(v=False, force=force))

    async def set_policy(self, container: Container, policy: Mapping[str, Any]) -> DockerError | None:
        """Say when the engine starts it by itself."""
        said = {"RestartPolicy": dict(policy)}
        return await self._ask(lambda docker: _post(docker, f"containers/{container.id}/update", said))

    async def see_policy(self, container: Container, policy: Mapping[str, Any]) -> Done | EngineFailure:
        """See that it has this policy; of one that is gone, that is so."""
        if policy_of(container) == read_policy(policy):
            return Done()
        refusal = await self.set_policy(container, policy)
        left = await self.look(container.id)
        if left is None or policy_of(left) == read_policy(policy):
            return Done()
        return refused(NOT_DONE, refusal, "policy")

    async def connect(self, container: Container, network: str, endpoint: Mapping[str, Any]) -> DockerError | None:
        """Put it into a network."""
        said = {"Container": container.id, "EndpointConfig": dict(endpoint)}
        return await self._ask(lambda docker: _post(docker, f"networks/{network}/connect", said))

    async def disconnect(self, container: Container, network: str) -> DockerError | None:
        """Take it out of a network, be that there or not."""
        said = {"Container": container.id, "Force": True}
        return await self._ask(lambda docker: _post(docker, f"networks/{network}/disconnect", said))

    async def gone(self, container: Container) -> bool:
        """Wait a while until it is not there any more. Raises `UnaskedError`."""
        deadline = self.clock.boottime() + self.limits.name.total_seconds()
        while await self.look(container.id) is not None:
            if self.clock.boottime() >= deadline:
                return False
            await self.clock.sleep(POLL)
        return True

    async def _ask(
        self, act: Callable[[Docker], Awaitable[object]], limit: timedelta | None = None
    ) -> DockerError | None:
        try:
            async with self.daemon.asked(limit or self.limits.act) as docker:
                await act(docker)
        except DockerError as refused:
            return refused
        return None


def policy_of(container: Container) -> tuple[str, int]:
    """Say when the engine starts it by itself, and how often."""
    return read_policy((container.said.get("HostConfig") or {}).get("RestartPolicy"))


def read_policy(said: Mapping[str, Any] | None) -> tuple[str, int]:
    """Read a restart policy; nothing and `no` are the same."""
    found = said or {}
    return str(found.get("Name") or "no"), int(found.get("MaximumRetryCount") or 0)


def networks_of(container: Container) -> set[str]:
    """Name the networks that it is in."""
    return set((container.said.get("NetworkSettings") or {}).get("Networks") or {})


def refused(code: Code, by: DockerError | None, detail: str | None = None) -> EngineFailure:
    """Say that something is not so, in the words in which the daemon refused it."""
    return EngineFailure(code=code, detail=detail, message=said(by) if by is not None else None)


def is_taken(refusal: DockerError) -> bool:
    """Say whether the daemon refused because a port or an address is in use."""
    return any(words in str(refusal.message).lower() for words in TAKEN)


async def _post(docker: Docker, path: str, said: Mapping[str, Any]) -> None:
    """Tell the daemon what the client has no word for; its answer has no body."""
    async with docker._query(path, method="POST", data=json.dumps(said)):  # noqa: SLF001
        pass


async def _lines(docker: Docker, path: str, asked: Mapping[str, str]) -> int:
    async with docker._query(path, params=asked) as answer:  # noqa: SLF001  # its own way with events never ends
        return len((await answer.read()).splitlines())


async def _answered(question: Awaitable[T]) -> T:
    """Take an error in the place of an answer for what it is: nothing is concluded."""
    try:
        return await question
    except DockerError as error:
        raise UnaskedError(Code.DOCKER_DAEMON_UNREACHABLE) from error
