"""What the stack is put into: the network that it joins, and as whom it may run.

The Admin has to reach what it starts, so the stack goes where the Admin is. Source: `site.md` 8 (docker, rootless, host
paths); `faults.md` D1.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, Final

from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.containers import Container
from ems_admin.docker.creating import OF_THE_ENGINE
from ems_admin.docker.daemon import CONFLICT
from ems_admin.docker.labels import SITE, project
from ems_admin.docker.own_container import own_container, same_on_host
from ems_admin.docker.place import DockerPlace
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.files import RuntimeIdentity

BRIDGE: Final = "bridge"
HOST: Final = "host"
ROOTLESS: Final = "name=rootless"


@frozen(kw_only=True)
class Surroundings:
    """Where a stack is started."""

    network: str
    user: str
    """`uid:gid` inside of the containers."""


async def surroundings(
    docker: Docker, place: DockerPlace, *, own: str | None, runtime: RuntimeIdentity
) -> Surroundings | EngineFailure:
    """Look where the stack goes; `install_root_not_host_path` when the host has the install root elsewhere.

    Raises `UnaskedError` or `DockerError`.
    """
    admin = await own_container(docker, own)
    if admin is not None and same_on_host(admin, PurePosixPath(place.install_root)) is None:
        return EngineFailure(code=Code.INSTALL_ROOT_NOT_HOST_PATH)
    network = network_of(admin) or await _own_network(docker, place.site)
    # Without root, 0 inside of a container is the user whose daemon it is, and everybody else is nobody.
    user = "0:0" if is_rootless(await docker.system.info()) else f"{runtime.puid}:{runtime.pgid}"
    return Surroundings(network=network, user=user)


def network_of(admin: Container | None) -> str | None:
    """Name the network of the Admin's container that the stack joins; `None` when it has to get one of its own."""
    settings = admin.said.get("NetworkSettings") if admin else None
    networks = settings.get("Networks") if isinstance(settings, dict) else None
    names = list(networks) if isinstance(networks, dict) else []
    own = next((name for name in names if name not in OF_THE_ENGINE), None)
    return own or (BRIDGE if BRIDGE in names else None)


def is_rootless(info: Mapping[str, Any]) -> bool:
    """Say whether the daemon runs as a plain user."""
    options = info.get("SecurityOptions")
    return isinstance(options, list) and any(str(option).startswith(ROOTLESS) for option in options)


async def _own_network(docker: Docker, site: str) -> str:
    """Have a bridge network of the site's own. It is kept: a stopped container still refers to it.

    The daemon lets two be made at once under one name, and then takes that name no more. Of such two the one with the
    lower id stays; the other one goes, unless a container is in it.
    """
    name = project(site)
    if not await _called(docker, name):
        try:
            await docker.networks.create({"Name": name, "CheckDuplicate": True, "Labels": {SITE: site}})
        except DockerError as error:
            if error.status != CONFLICT:
                raise
    for other in (await _called(docker, name))[1:]:
        with suppress(DockerError):
            await (await docker.networks.get(other)).delete()
    return name


async def _called(docker: Docker, name: str) -> list[str]:
    """Give the ids of the networks of a name, the lowest first."""
    rows = await docker.networks.list(filters={"name": name})
    return sorted(str(row["Id"]) for row in rows if row.get("Name") == name)
