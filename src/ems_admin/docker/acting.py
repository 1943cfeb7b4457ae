"""One act on one container: asked for once, and then decided by looking, whatever the daemon answered, or did not.

An answer can be lost on a way that the act itself has gone: a time-out, a daemon that is started anew, a second Admin
that was faster. The wished condition is success, however it came about.

Source: `site.md` 8; `faults.md` D1, F27, F29, F31, F44.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.carrying import Joined
from ems_admin.docker.containers import Container, Doing
from ems_admin.docker.creating import body
from ems_admin.docker.daemon import ACT, CONFLICT, NOT_FOUND, UnaskedError
from ems_admin.docker.definition import GRACE, Definition
from ems_admin.docker.faults import start_failure
from ems_admin.docker.own_container import is_own
from ems_admin.docker.sights import Sights
from ems_admin.docker.words import said, shown
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import EngineFailure

POLL: Final = timedelta(milliseconds=500)
AMBIGUOUS: Final = "is ambiguous"
STOPPED: Final = frozenset({Doing.CREATED, Doing.EXITED})

Act = Callable[[Docker], Awaitable[object]]


@frozen(kw_only=True)
class Answer:
    """What came of asking: the words of an error, or that nobody answered; neither when it was done."""

    error: DockerError | None = None
    unasked: UnaskedError | None = None

    @property
    def words(self) -> str:
        """Give what the daemon said; nothing when it said nothing."""
        return str(self.error.message) if self.error else ""

    def stalled(self, name: str) -> EngineFailure:
        """Tell that it was not done: by the code of a daemon that was away, or as taking for ever."""
        if self.unasked is not None and not isinstance(self.unasked.__cause__, TimeoutError):
            return self.unasked.failure
        return EngineFailure(code=Code.OPERATION_STALLED, detail=name, message=shown(self.words) or None)


@frozen(kw_only=True)
class Acting:
    """The hands of the engine. None of them ever touches the Admin's own container.

    Every method gives an `EngineFailure` for what is known not to be so, and raises `UnaskedError` or `DockerError`
    when nobody can say how it stands afterwards.
    """

    sights: Sights

    async def create(self, wanted: Definition) -> Container | EngineFailure:
        """Create a container under the name of its service. One that is there already from the same is taken for it."""
        clock = self.sights.clock
        deadline = clock.boottime() + self.sights.limits.name_is_free.total_seconds()
        while True:
            answer = await self._ask(lambda docker: docker.containers.create(body(wanted), name=wanted.service), ACT)
            holder = await self.sights.look(wanted.service)
            if holder is not None:
                return holder if self._is_ours(holder, wanted) else self._stranger(holder)
            if answer.unasked:
                raise answer.unasked
            in_use = answer.error is not None and answer.error.status == CONFLICT
            if not in_use or clock.boottime() >= deadline:
                return _not_created(answer, wanted.service, in_use=in_use)
            await clock.sleep(POLL)

    async def start(self, container: Container) -> Container | EngineFailure:
        """Start a container that does not run; one that is frozen goes on. Gives it as it is then."""
        if failure := self._protected(container):
            return failure
        frozen_ = container.doing is Doing.PAUSED
        clock, limits = self.sights.clock, self.sights.limits
        deadline = clock.boottime() + limits.name_is_free.total_seconds()
        while True:
            answer = await self._ask(
                lambda docker: _unpause(docker, container.id) if frozen_ else _start(docker, container.id),
                limits.start_or_stop,
            )
            # Two networks of one name, made at once: whoever made the second one is about to remove it.
            if AMBIGUOUS not in answer.words or clock.boottime() >= deadline:
                break
            await clock.sleep(POLL)
        now = await self.sights.look(container.id)
        if now is not None and now.doing in {Doing.RUNNING, Doing.RESTARTING}:
            return now
        return _not_running(answer, container, now)

    async def restart(self, container: Container) -> Container | EngineFailure:
        """Stop a container and start it, in one request: the daemon does the second half though its asker be gone."""
        if failure := self._protected(container):
            return failure
        grace = int(GRACE.total_seconds())
        answer = await self._ask(
            lambda docker: docker.containers.container(container.id).restart(t=grace), self.sights.limits.start_or_stop
        )
        now = await self.sights.look(container.id)
        anew = now is not None and now.started_at != container.started_at
        if now is not None and now.doing in {Doing.RUNNING, Doing.RESTARTING} and anew:
            return now
        return _not_running(answer, container, now)

    async def stop(self, container: Container) -> EngineFailure | None:
        """Stop a container. That it was stopped on purpose is kept by the daemon, before the process hears of it."""
        if failure := self._protected(container):
            return failure
        if container.doing in STOPPED:
            return None
        grace = int(GRACE.total_seconds())
        answer = await self._ask(
            lambda docker: docker.containers.container(container.id).stop(t=grace), self.sights.limits.start_or_stop
        )
        now = await self.sights.look(container.id)
        if now is None or now.doing in STOPPED:
            return None
        return answer.stalled(container.name)

    async def join(self, container: Container, joined: Joined) -> EngineFailure | None:
        """Connect a container of ours that does not run to a network; one that is gone is nothing to be missed."""
        if failure := self._protected(container):
            return failure
        wish = {"Container": container.id, "EndpointConfig": dict(joined.endpoint)}
        answer = await self._ask(lambda docker: _join(docker, joined, wish), ACT)
        if answer.unasked:
            return answer.stalled(container.name)
        if answer.error is None or answer.error.status == NOT_FOUND:
            return None
        return start_failure(answer.words, container.name)

    async def rename(self, container: Container, name: str) -> EngineFailure | None:
        """Give a container of ours another name."""
        if failure := self._protected(container):
            return failure
        answer = await self._ask(lambda docker: docker.containers.container(container.id).rename(name), ACT)
        now = await self.sights.look(container.id)
        if now is None or now.name == name:
            return None
        if answer.error is not None and answer.error.status == CONFLICT:
            return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=name)
        return answer.stalled(container.name)

    async def remove(self, container: Container) -> EngineFailure | None:
        """Remove a container that has stopped, and none of its volumes."""
        if failure := self._protected(container):
            return failure
        answer = await self._ask(
            lambda docker: docker.containers.container(container.id).delete(force=False, v=False), ACT
        )
        if await self.sights.look(container.id) is None:
            return None
        return answer.stalled(container.name)

    async def _ask(self, act: Act, limit: timedelta) -> Answer:
        try:
            async with self.sights.daemon.asked(limit) as docker:
                await act(docker)
        except DockerError as error:
            return Answer(error=error)
        except UnaskedError as error:
            return Answer(unasked=error)
        return Answer()

    def _is_ours(self, holder: Container, wanted: Definition) -> bool:
        return holder.name == wanted.service and wanted.is_of(holder)

    def _stranger(self, holder: Container) -> EngineFailure:
        return self._protected(holder) or EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=holder.name)

    def _protected(self, container: Container) -> EngineFailure | None:
        if not is_own(container, self.sights.own):
            return None
        return EngineFailure(code=Code.OWN_CONTAINER_PROTECTED, detail=container.name)


def _not_running(answer: Answer, before: Container, now: Container | None) -> Container | EngineFailure:
    """Tell why a container does not run that was to be started; one that has run and is over already, as it is."""
    if now is None:
        return EngineFailure(code=Code.EMS_START_FAILED, detail=before.name)
    if answer.unasked:
        return answer.stalled(before.name)
    if answer.error is None or (now.started_at != before.started_at and now.exit_code):
        return now
    return start_failure(answer.words, before.name)


def _not_created(answer: Answer, service: str, *, in_use: bool) -> EngineFailure:
    if in_use:
        return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=service)
    if answer.error is not None:
        return start_failure(said(answer.error), service)
    return EngineFailure(code=Code.EMS_START_FAILED, detail=service)  # created, and gone before anybody looked


async def _start(docker: Docker, container_id: str) -> None:
    await docker.containers.container(container_id).start()


async def _join(docker: Docker, joined: Joined, wish: dict[str, Any]) -> None:
    network = await docker.networks.get(joined.network)
    if joined.anew:
        await network.disconnect({"Container": wish["Container"], "Force": True})
    await network.connect(wish)


async def _unpause(docker: Docker, container_id: str) -> None:
    await docker.containers.container(container_id).unpause()
