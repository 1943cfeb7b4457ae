"""The containers of the site, one by one, and what they print. Source: `http.md` 5.3 (Maintenance, containers)."""

from __future__ import annotations

from ems_admin.library.room import Room
from ems_admin.machines.container_control import ContainerAction
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.maintenance import containers


class ContainerViews(Room):
    """The containers as they are."""

    async def listed(self) -> containers.Containers:
        """List the container of every service, strangers under their names, and the Admin's own. Never refused."""
        return await containers.containers(self.house)

    async def log(self, service: str, lines: int = 200) -> containers.ServiceLog:
        """Give the last lines that a service printed, at most 500, secrets masked. Refused with `not_found`."""
        return await containers.service_log(self.house, service, lines)


class ContainerActs(ContainerViews):
    """The containers, acted on. While an operation is under way each is refused."""

    async def start(self, service: str, *, confirm: bool) -> Job:
        """Start one service; one whose container is gone is brought back as it was prepared."""
        return await self._control(service, ContainerAction.START, confirm)

    async def stop(self, service: str, *, confirm: bool) -> Job:
        """Stop one service on purpose: nobody of ours revives it."""
        return await self._control(service, ContainerAction.STOP, confirm)

    async def restart(self, service: str, *, confirm: bool) -> Job:
        """Stop one service and start it again."""
        return await self._control(service, ContainerAction.RESTART, confirm)

    async def _control(self, service: str, action: ContainerAction, confirm: bool) -> Job:  # noqa: FBT001  # passed on
        return await containers.control(self.house, self.caller, service, action, confirm=confirm)
