"""The hand of the Admin that is replaced as a container: what is tried before, and its updater.

Every act ends in looking: the wished condition is success, and where the daemon gives no answer nobody concludes any.
Source: `replacement.md` 7.2, 7.3, 7.5, 7.6; `faults.md` F31, F32, F35, F37, D10.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, TypeVar

import structlog
from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import field, frozen

from ems_admin.docker.containers import Container
from ems_admin.docker.daemon import CONFLICT, NOT_FOUND, Daemon, UnaskedError
from ems_admin.docker.labels import own_name_of
from ems_admin.docker.own_container import own_container
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.replacement import smoke, updaters
from ems_admin.docker.replacement.blueprint import Home, blueprint, further_networks, networks_of
from ems_admin.docker.replacement.creating import NOBODY_CAN_SAY, NOT_LAUNCHED, Creating
from ems_admin.docker.replacement.limits import Limits
from ems_admin.docker.replacement.preparing import Preparing
from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure, Report
from ems_admin.workflows.ports.replacement import Launch, SeenUpdater, Silence, Unstarted, UpdaterState
from ems_admin.workflows.ports.running import Clock

UNSEEN: Final = SeenUpdater(state=UpdaterState.UNKNOWN)
UNVERIFIABLE: Final = EngineFailure(code=Code.ADMIN_UNVERIFIABLE)
RUNS: Final = EngineFailure(code=Code.REPLACEMENT_ACTIVE)
NO_RESTART: Final = {"RestartPolicy": {"Name": "no", "MaximumRetryCount": 0}}
WAS_STARTED: Final = frozenset({UpdaterState.RUNNING, UpdaterState.RESTARTING, UpdaterState.EXITED})

T = TypeVar("T")

_log: Final = structlog.get_logger(__name__)


@frozen
class DockerLauncher:
    """Implements `Launcher`."""

    daemon: Daemon
    place: DockerPlace
    own: str | None = field(kw_only=True)
    """The id of the own container; `None` when nobody says."""
    clock: Clock = field(kw_only=True)
    stable: timedelta = field(kw_only=True)
    """How long a new Admin has to stay well; its updater is told."""
    limits: Limits = field(default=Limits(), kw_only=True)
    built_at: datetime | None = field(default=None, kw_only=True)
    """When the running Admin was built, as its program says."""

    async def prepare(self, transition: Transition, report: Report) -> Done | EngineFailure:
        """Know the own place, bring the image, check it, let it say who it is, and see that there is a way back."""
        preparing = Preparing(
            daemon=self.daemon,
            place=self.place,
            own=self.own,
            limits=self.limits,
            transition=transition,
            report=report,
            clock=self.clock,
            built_at=self.built_at,
        )
        return await preparing.run()

    async def own_image(self) -> str | None:
        """Name the image id of the own container; `None` also when it cannot be known."""
        me = await self._ask(self._me)
        return None if me is None or isinstance(me, Silence) else me.image_id

    async def own_name(self, operation_id: str) -> OwnName:
        """Say whether the own container was renamed for this operation."""
        me = await self._ask(self._me)
        if me is None or isinstance(me, Silence) or not me.name:
            return OwnName.UNKNOWN
        return OwnName.HELD if me.name == own_name_of(me.name, operation_id) else OwnName.SET_ASIDE

    async def look(self, operation_id: str, attempt: int, *, claimed: bool) -> SeenUpdater:  # noqa: ARG002
        """Look for it by its labels. What B1 says of a claim tells nothing that a container does not."""

        async def seen(docker: Docker) -> SeenUpdater:
            return await updaters.shown(docker, await self._find(docker, operation_id, attempt))

        answer = await self._ask(seen)
        return UNSEEN if isinstance(answer, Silence) else answer

    async def others(self, operation_id: str) -> Activity:
        """Ask the updaters of every other operation of this site."""
        found = await self._ask(self._all)
        return Activity.UNKNOWN if isinstance(found, Silence) else updaters.others_activity(found, operation_id)

    async def unstarted(self) -> tuple[Unstarted, ...] | None:
        """Name every updater of this site that was created and never started."""
        found = await self._ask(self._all)
        return None if isinstance(found, Silence) else updaters.unstarted(found)

    async def create(self, launch: Launch) -> Done | EngineFailure:
        """Create it from the own body (R3)."""
        me = await self._ask(self._me)
        if me is None or isinstance(me, Silence):
            return UNVERIFIABLE if me is None else NOBODY_CAN_SAY
        body = blueprint(me, launch, Home(place=self.place, host=self.daemon.host, stable=self.stable))
        creating = Creating(daemon=self.daemon, clock=self.clock, limits=self.limits)
        return await creating.create(launch.container, body)

    async def start(self, launch: Launch) -> Done | EngineFailure:
        """Start one that never ran (R4), in every network of this Admin. One that has ended is not started again."""

        async def start(docker: Docker) -> Done | EngineFailure:
            found = await self._find(docker, launch.operation_id, launch.attempt)
            if found is None:
                return NOT_LAUNCHED
            if updaters.state_of(found) in WAS_STARTED:
                return Done()
            if not await self._has_joined(docker, found):
                return UNVERIFIABLE
            await docker.containers.container(found.id).start()
            return Done()

        return await self._act("start", start, otherwise=NOT_LAUNCHED)

    async def _has_joined(self, docker: Docker, updater: Container) -> bool:
        """Join what a daemon of this age joins only after the create; say whether this Admin knows its networks."""
        me = await self._me(docker)
        if me is None:
            return False
        joined = networks_of(updater)
        for name, network_id in further_networks(me).items():
            if name not in joined:
                network = await docker.networks.get(network_id)
                await network.connect({"Container": updater.id})
        return True

    async def discard(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Remove it without force; gone is gone, whoever removed it."""

        async def discard(docker: Docker) -> Done | EngineFailure:
            found = await self._find(docker, operation_id, attempt)
            if found is None:
                return Done()
            if updaters.state_of(found) is UpdaterState.UNKNOWN:
                return NOBODY_CAN_SAY
            if found.runs:
                return RUNS
            await _remove(docker, found)
            left = await self._find(docker, operation_id, attempt)
            return Done() if left is None else RUNS if left.runs else NOBODY_CAN_SAY

        return await self._act("discard", discard, otherwise=NOBODY_CAN_SAY)

    async def quell(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Take its policy away first: one that ends while it is stopped must not come back."""

        async def quell(docker: Docker) -> Done | EngineFailure:
            found = await self._find(docker, operation_id, attempt)
            if found is not None:
                await docker._query_json(f"containers/{found.id}/update", method="POST", data=NO_RESTART)  # noqa: SLF001
                await docker.containers.container(found.id).stop(t=int(self.limits.grace.total_seconds()))
            return Done()

        return await self._act("quell", quell, otherwise=NOBODY_CAN_SAY)

    async def forget(self, operation_id: str) -> Done | EngineFailure:
        """Remove all of an operation that do not act, and what a trial of its image has left; nobody else's."""

        async def forget(docker: Docker) -> Done | EngineFailure:
            for found in await updaters.of_operation(docker, self.place.site, operation_id):
                if updaters.state_of(found) in {UpdaterState.CREATED, UpdaterState.EXITED}:
                    await _remove(docker, found)
            await smoke.clear(docker, self.place.site, operation_id)
            return Done()

        return await self._act("forget", forget, otherwise=NOBODY_CAN_SAY)

    async def _ask(self, question: Callable[[Docker], Awaitable[T]]) -> T | Silence:
        return await updaters.answered(self.daemon, question)

    async def _act(
        self, name: str, act: Callable[[Docker], Awaitable[Done | EngineFailure]], *, otherwise: EngineFailure
    ) -> Done | EngineFailure:
        """Act within the limit: no answer says nothing, and a refusal of the daemon is `otherwise`."""
        try:
            async with self.daemon.asked(self.limits.act) as docker:
                return await act(docker)
        except UnaskedError:
            return NOBODY_CAN_SAY
        except DockerError as error:
            _log.error("the daemon refused", act=name, status=error.status, said=error.message)
            return otherwise

    async def _me(self, docker: Docker) -> Container | None:
        return await own_container(docker, self.own)

    async def _all(self, docker: Docker) -> tuple[Container, ...]:
        return await updaters.of_site(docker, self.place.site)

    async def _find(self, docker: Docker, operation_id: str, attempt: int) -> Container | None:
        return await updaters.find(docker, self.place.site, operation_id, attempt)


async def _remove(docker: Docker, container: Container) -> None:
    """Remove without force. One that runs by now, or is going already, is told apart by looking again."""
    try:
        await docker.containers.container(container.id).delete()
    except DockerError as error:
        if error.status not in {NOT_FOUND, CONFLICT}:
            raise
