"""A container that bears the name which one of ours needs: who it is, and how it is cleared out of the way.

It is looked at again before anything is done to it, by its id: a name may have passed to another one. Only the names
of our own services are ever looked at, so that no request reaches any other container.

Source: `site.md` 8 (Conflict object); `faults.md` D1, F29, F32.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.acting import STOPPED, Acting
from ems_admin.docker.compose_file import images_by_name
from ems_admin.docker.containers import Container, Doing, look
from ems_admin.docker.daemon import UnaskedError
from ems_admin.docker.images import Image, find
from ems_admin.docker.labels import SERVICE, SITE
from ems_admin.docker.own_container import is_own
from ems_admin.docker.sights import Sights
from ems_admin.machines.alignment.facts import LiveConflict
from ems_admin.machines.codes import Code
from ems_admin.machines.container_conflict import REMOVE, REPLACE, Decision, InTheWay, Replacement, clearing_refusal
from ems_admin.workflows.ports.engine import ContainerConflict, Done, EngineFailure
from ems_admin.workflows.ports.services import NotSeen

NO_SENSE: Final = 400
"""How the daemon answers a reference that somebody has written into the stack file by hand."""


@frozen(kw_only=True)
class Conflicts:
    """Finds and clears what stands in the way."""

    sights: Sights
    acting: Acting

    async def find(self, container_name: str | None) -> ContainerConflict | NotSeen | None:
        """Look who bears one name, or the name of any service of ours; `None` when nobody else does."""
        selected = await self._selected()
        names = [name for name in selected if container_name in {None, name}]
        try:
            async with self.sights.daemon.asked() as docker:
                for name in names:
                    holder = await look(docker, name)
                    if holder is not None and self._is_in_the_way(holder, name):
                        return _told(holder, selected[name], await _image(docker, selected[name]))
        except UnaskedError as error:
            return error.unseen
        except DockerError:
            return NotSeen(code=Code.DOCKER_DAEMON_UNREACHABLE)
        return None

    async def clear(self, conflict: ContainerConflict, *, replace: bool) -> Done | EngineFailure:
        """Remove it: a stopped one; with `replace` also a running one, once there is an image to replace it with.

        While nobody can say who it is, `install_state_unavailable`; nothing has been done then.
        """
        if self.sights.own in {conflict.container_id, conflict.container_name}:
            return EngineFailure(code=Code.OWN_CONTAINER_PROTECTED, detail=conflict.container_name)
        try:
            holder = await self.sights.look(conflict.container_id)
            live = await self.find(conflict.container_name)
        except (UnaskedError, DockerError):
            return EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE)
        if holder is None:
            return Done()
        if refusal := clearing_refusal(decision(holder, live, replace=replace)):
            return EngineFailure(code=Code(refusal.code), detail=conflict.container_name)
        return await self.acting.stop(holder) or await self.acting.remove(holder) or Done()

    async def _selected(self) -> Mapping[str, str]:
        """Give the names that our services need, each with what is to run under it."""
        return await asyncio.to_thread(images_by_name, self.sights.place.compose_file)

    def _is_in_the_way(self, holder: Container, name: str) -> bool:
        ours = (holder.labels.get(SITE), holder.labels.get(SERVICE)) == (self.sights.place.site, name)
        return holder.name == name and (not ours or is_own(holder, self.sights.own))


async def _image(docker: Docker, reference: str) -> Image | None:
    """Look for what is selected; `None` also for words that name no image. Raises `DockerError` for no answer."""
    try:
        return await find(docker, reference)
    except DockerError as error:
        if error.status == NO_SENSE:
            return None
        raise


def _told(holder: Container, selected: str, image: Image | None) -> ContainerConflict:
    return ContainerConflict(
        container_name=holder.name,
        container_id=holder.id,
        image=holder.image or None,
        status=holder.doing,
        selected_image=selected,
        image_mismatch=image is None or holder.image_id != image.id,
        replace_available=image is not None,
        safe_fix_available=holder.doing in STOPPED,
    )


def decision(holder: Container, live: ContainerConflict | NotSeen | None, *, replace: bool) -> Decision:
    """Put what was just seen into the question that the declared table answers."""
    match live:
        case NotSeen():
            seen = LiveConflict.UNKNOWN
        case ContainerConflict(container_id=holder.id):
            seen = LiveConflict.UNKNOWN if holder.doing is Doing.UNKNOWN else LiveConflict.SAME
        case _:
            seen = LiveConflict.CHANGED
    here = isinstance(live, ContainerConflict) and live.replace_available
    return Decision(
        live=seen,
        action=REPLACE if replace else REMOVE,
        doing=InTheWay.STOPPED if holder.doing in STOPPED else InTheWay.RUNNING,
        replacement=Replacement.HERE if here else Replacement.MISSING,
    )
