"""All that is tried before an Admin is handed over, in its order; nothing that runs is touched.

Source: `replacement.md` 7.2; `faults.md` F18, F20 to F24, F33.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.containers import Container, look
from ems_admin.docker.credentials import Credentials
from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.docker.images import Image, find
from ems_admin.docker.labels import own_name_of, set_aside_name
from ems_admin.docker.marks import Mark, mark
from ems_admin.docker.own_container import own_container, same_on_host
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.pulling import WHOLE, Terms, clock_fault, pull
from ems_admin.docker.replacement import pin
from ems_admin.docker.replacement.limits import Limits
from ems_admin.docker.replacement.smoke import Smoke
from ems_admin.docker.replacement.target import ABSENT, ADMIN, reference_of, resolve
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import DigestKind, Transition
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.running import Clock

STEP: Final = "image"


@frozen(kw_only=True)
class Preparing:
    """One replacement that is prepared."""

    daemon: Daemon
    place: DockerPlace
    own: str | None
    limits: Limits
    transition: Transition
    report: Report
    clock: Clock
    built_at: datetime | None
    """When the running Admin was built."""

    async def run(self) -> Done | EngineFailure:
        """Take each step in its order; the first that fails is the answer."""
        try:
            return await self._run()
        except UnaskedError as unasked:
            return unasked.failure
        except DockerError:
            return EngineFailure(code=Code.DOCKER_DAEMON_UNREACHABLE, detail="answer")

    async def _run(self) -> Done | EngineFailure:
        self.report(Progress(step="place"))
        me = await self._me()
        if isinstance(me, EngineFailure):
            return me
        self.report(Progress(step=STEP, percent=0))
        pulled = await self._pull()
        if isinstance(pulled, EngineFailure):
            return pulled
        self.report(Progress(step="digest"))
        image = await self._resolved()
        if isinstance(image, EngineFailure):
            return image
        self.report(Progress(step="smoke"))
        said = await self._smoke(image)
        if isinstance(said, EngineFailure):
            return said
        way_back = await self._can_go_back(me)
        return way_back if isinstance(way_back, EngineFailure) else await pin.is_writable(self.place)

    async def _me(self) -> Container | EngineFailure:
        """Know the own container, and the host's folders behind it: the updater gets them by the host's names."""
        async with self.daemon.asked() as docker:
            me = await own_container(docker, self.own)
        if me is None:
            return EngineFailure(code=Code.ADMIN_UNVERIFIABLE)
        for folder in (self.place.install_root, self.place.admin_data):
            on_host = same_on_host(me, PurePosixPath(folder))
            if on_host is None or not on_host.writable:
                return EngineFailure(code=Code.INSTALL_ROOT_NOT_HOST_PATH)
        return me

    async def _pull(self) -> Image | EngineFailure | None:
        """Bring the image here, ours to clear away again. One that is known by its id alone comes from no registry."""
        reference = reference_of(self.transition)
        if reference is None:
            return ABSENT
        if self.transition.digest_kind is DigestKind.IMAGE_ID:
            return None
        async with self.daemon.asked(WHOLE) as docker:
            if (here := await find(docker, reference)) is not None:
                return here
            if fault := clock_fault(self.clock.now(), self.built_at):
                return fault
            came = await pull(docker, reference, report=self.report, terms=self._terms)
            if isinstance(came, Image):
                as_ = Mark(site=self.place.site, role=ADMIN, build_id=self.transition.build_id)
                await mark(docker, came.id, as_)
            return came

    @property
    def _terms(self) -> Terms:
        return Terms(credentials=Credentials.of(), step=STEP)

    async def _resolved(self) -> Image | EngineFailure:
        async with self.daemon.asked() as docker:
            return await resolve(docker, self.transition)

    async def _smoke(self, image: Image) -> Done | EngineFailure:
        smoke = Smoke(
            site=self.place.site,
            operation_id=self.transition.operation_id,
            image_id=image.id,
            build_id=self.transition.build_id,
            limits=self.limits,
        )
        return await smoke.run(self.daemon)

    async def _can_go_back(self, me: Container) -> Done | EngineFailure:
        async with self.daemon.asked() as docker:
            if await find(docker, me.image_id) is None:
                return EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)
            return await self._name_is_free(docker, me)

    async def _name_is_free(self, docker: Docker, me: Container) -> Done | EngineFailure:
        operation_id = self.transition.operation_id
        aside = set_aside_name(own_name_of(me.name, operation_id), operation_id)
        holder = await look(docker, aside)
        if holder is not None and holder.id != me.id:
            return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=aside)
        return Done()
