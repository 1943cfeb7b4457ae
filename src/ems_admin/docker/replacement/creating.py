"""Creating a container under a name that may be taken, and telling who has it.

Source: `replacement.md` 7.3 (R3); `faults.md` F31, F32.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import structlog
from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.containers import Container, Doing, look
from ems_admin.docker.daemon import CONFLICT, NOT_FOUND, Daemon, UnaskedError
from ems_admin.docker.labels import ATTEMPT, OPERATION, SITE
from ems_admin.docker.replacement.limits import POLL, Limits
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.running import Clock

NOBODY_CAN_SAY: Final = EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE, detail="engine")
NOT_LAUNCHED: Final = EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED)
WHOSE: Final = (SITE, OPERATION, ATTEMPT)
_HOLDER: Final = re.compile(r"by container \"?([0-9a-f]{64})\"?")

_log: Final = structlog.get_logger(__name__)


@frozen
class Holder:
    """Who bears the name that was wanted."""

    id: str


@frozen(kw_only=True)
class Creating:
    """Where containers are created, and how long a name is waited for."""

    daemon: Daemon
    clock: Clock
    limits: Limits

    async def create(self, name: str, body: Mapping[str, Any]) -> Done | EngineFailure:
        """Create a container, or find that it was created before.

        `container_name_conflict` names a stranger, who stays untouched; `install_state_unavailable` where nobody can
        say what came of it; any other code says that the daemon refused.
        """
        deadline = self.clock.boottime() + self.limits.name.total_seconds()
        while True:
            holder = await self._try(name, body)
            if not isinstance(holder, Holder):
                return holder
            found = await self._inspect(holder)
            if found is not None:
                return found if isinstance(found, EngineFailure) else _whose(found, body["Labels"])
            # The name is still kept for a container that is gone: the daemon is a moment behind.
            if self.clock.boottime() >= deadline:
                return NOBODY_CAN_SAY
            await self.clock.sleep(POLL)

    async def _try(self, name: str, body: Mapping[str, Any]) -> Done | EngineFailure | Holder:
        try:
            async with self.daemon.asked(self.limits.act) as docker:
                return await _created(docker, name, body)
        except UnaskedError:
            return NOBODY_CAN_SAY

    async def _inspect(self, holder: Holder) -> Container | EngineFailure | None:
        try:
            async with self.daemon.asked() as docker:
                found = await look(docker, holder.id)
        except (UnaskedError, DockerError):
            return NOBODY_CAN_SAY
        return NOBODY_CAN_SAY if found is not None and found.doing is Doing.UNKNOWN else found


async def _created(docker: Docker, name: str, body: Mapping[str, Any]) -> Done | EngineFailure | Holder:
    try:
        await docker.containers.create(body, name=name)
    except DockerError as error:
        if error.status == CONFLICT:
            named = _HOLDER.search(error.message)
            return Holder(named.group(1) if named else name)
        _log.error("a container was not created", name=name, status=error.status, said=error.message)
        return EngineFailure(code=Code.IMAGE_UNAVAILABLE) if error.status == NOT_FOUND else NOT_LAUNCHED
    return Done()


def _whose(holder: Container, labels: Mapping[str, str]) -> Done | EngineFailure:
    """Accept what was created for the very same attempt, by whoever came first."""
    if all(holder.labels.get(label) == labels[label] for label in WHOSE):
        return Done()
    return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=holder.name)
