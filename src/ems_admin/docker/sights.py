"""What can be seen of the containers of a site, and of those that are not ours. Changes nothing.

Source: `site.md` 8; `faults.md` D1, D4, F19, F22.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from aiodocker import Docker
from attrs import frozen

from ems_admin.docker.containers import DOING, Container, Doing, labelled, listed, look
from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.docker.definition import Known, known
from ems_admin.docker.labels import SERVICE, SITE
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.pulling import PATIENCE
from ems_admin.docker.reaching import LOOPBACK, Addresses, addresses
from ems_admin.docker.words import printed, shown
from ems_admin.engines.order import in_order
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.running import Clock

LINES_OF_A_FAILURE: Final = 10


@frozen(kw_only=True)
class Limits:
    """How long things may take."""

    start_or_stop: timedelta = timedelta(seconds=240)
    """Of one service; then it is `operation_stalled` (F44)."""
    name_is_free: timedelta = timedelta(seconds=30)
    """For a name that is said to be in use though nobody bears it (F31)."""
    pull: timedelta = PATIENCE
    """Without any progress."""
    dashboard: timedelta = timedelta(seconds=10)
    """For a dashboard, once its service is well."""


@frozen(kw_only=True)
class Row:
    """One container as a list shows it, which is asked for all of them at once."""

    id: str
    name: str
    image_id: str
    doing: Doing
    labels: Mapping[str, str]
    ports: frozenset[int]
    """That it has taken on the host."""


@frozen(kw_only=True)
class Service:
    """A service of the site and the container that bears its name."""

    known: Known
    container: Container

    @property
    def name(self) -> str:
        """Give the name of the service, which is that of its container."""
        return self.known.service


@frozen(kw_only=True)
class Sights:
    """The containers of one site, as the daemon shows them."""

    daemon: Daemon
    place: DockerPlace
    own: str | None
    """The id of the Admin's own container; `None` on a host process."""
    clock: Clock
    limits: Limits
    host: str = LOOPBACK
    """By what name the host of the daemon is reached from here, when the Admin is no container."""

    async def look(self, name_or_id: str) -> Container | None:
        """Inspect one container. Raises `UnaskedError` or `DockerError`, as everything here that looks."""
        async with self.daemon.asked() as docker:
            return await look(docker, name_or_id)

    async def ours(self) -> tuple[Container, ...]:
        """Inspect every container of a service of this site, also those that were set aside."""
        async with self.daemon.asked() as docker:
            return await labelled(docker, f"{SITE}={self.place.site}", SERVICE)

    async def services(self) -> tuple[Service, ...]:
        """Inspect what bears the names of services, each after what it starts after."""
        return in_force(await self.ours())

    def where(self, container: Container) -> Addresses:
        """Find where a container answers, as seen from here."""
        return addresses(container, inside=self.own is not None, host=self.host)

    async def last_words(self, container: Container) -> tuple[str, ...]:
        """Give what a container said last, masked and without places on the host; nothing when nobody can say."""
        try:
            async with self.daemon.asked() as docker:
                said = await printed(docker, container.id, LINES_OF_A_FAILURE)
        except UnaskedError:
            return ()
        root = str(self.place.install_root)
        return tuple(shown(line.replace(root, ".")) for line in said)

    async def ended(self, container: Container, *, code: Code) -> EngineFailure:
        """Say how a service ended and what it said last."""
        name = container.labels.get(SERVICE, container.name)
        lives = container.doing is Doing.RUNNING  # already the next try of the engine
        number = None if lives else container.exit_code
        how = f"{name} ended" if number is None else f"{name} ended with exit code {number}"
        how += ": out of memory" if container.oom else ""
        message = "\n".join((how, *await self.last_words(container)))
        return EngineFailure(code=code, detail=name, message=message, exit_code=number)


def in_force(ours: tuple[Container, ...]) -> tuple[Service, ...]:
    """Find those of our containers that bear the name of their service, in the order of start."""
    found = [Service(known=known(one.labels), container=one) for one in ours if one.name == one.labels.get(SERVICE)]
    return in_order(found, name=lambda one: one.name, after=lambda one: one.known.after)


async def rows(docker: Docker) -> tuple[Row, ...]:
    """List all containers, in any state. A row that cannot be read is shown as far as it can.

    Raises `UnaskedError` or `DockerError`.
    """
    return tuple(read_row(row) for row in await listed(docker, {}))


def read_row(row: Mapping[str, Any]) -> Row:
    """Read what the daemon lists of one container; what is missing says nothing."""
    names, labels, ports = row.get("Names"), row.get("Labels"), row.get("Ports")
    taken = (port.get("PublicPort") for port in ports if isinstance(port, dict)) if isinstance(ports, list) else ()
    own_names = [str(name).removeprefix("/") for name in names if "/" not in str(name)[1:]] if names else []
    return Row(
        id=str(row.get("Id") or ""),
        name=own_names[0] if own_names else "",
        image_id=str(row.get("ImageID") or ""),
        doing=DOING.get(str(row.get("State")), Doing.UNKNOWN),
        labels={str(key): str(value) for key, value in labels.items()} if isinstance(labels, dict) else {},
        ports=frozenset(port for port in taken if isinstance(port, int)),
    )
