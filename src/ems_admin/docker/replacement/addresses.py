"""Where a new Admin is asked for its health: from outside if that can be, as people reach it, else at its own address.

From a container, outside is the gateway of a network: there the host listens for what is published. Who shares the
host's network is there already. Rootless, host and gateway are a room of their own, so nothing there is from outside.
Source: `replacement.md` 7.4 (U9); `site.md` 8 (rootless); `faults.md` F26.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.docker.containers import Container
from ems_admin.docker.daemon import Daemon
from ems_admin.docker.replacement.acts import Acts
from ems_admin.engines.admin_health import ANSWER, HEALTH
from ems_admin.engines.asking import Answer, ask

SCHEMES: Final = ("http", "https")
LISTEN: Final = "EMS_ADMIN_LISTEN"
TCP: Final = "/tcp"
LOOPBACK: Final = "127.0.0.1"
ANY_ADDRESS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104  # read, not listened at
HOST: Final = "host"
ROOTLESS: Final = "name=rootless"


@frozen(kw_only=True)
class Address:
    """One place to ask."""

    url: str
    """Without a trailing slash."""
    published: bool


@frozen(kw_only=True)
class Seeker:
    """Finds where an Admin answers, as seen from the container of this process."""

    acts: Acts
    own: str | None

    async def addresses(self, new: Container) -> tuple[Address, ...]:
        """Give every place where it may answer, the best first. Raises `UnaskedError`."""
        here = await self.acts.look(self.own) if self.own else None
        return addresses(new, here, rootless=await is_rootless(self.acts.daemon))

    async def answers(self, new: Container) -> bool:
        """Say whether anybody answers at one of them, whatever it is. Raises `UnaskedError`."""
        found = await self.addresses(new)
        answers = await asyncio.gather(*(ask(address.url + HEALTH, ANSWER) for address in found))
        return any(answer is not Answer.SILENT for answer in answers)


async def is_rootless(daemon: Daemon) -> bool:
    """Say whether the daemon is that of a user. Raises `UnaskedError` or `DockerError`."""
    async with daemon.asked() as docker:
        said = await docker.system.info()
    return ROOTLESS in (said.get("SecurityOptions") or ())


def addresses(new: Container, here: Container | None, *, rootless: bool) -> tuple[Address, ...]:
    """Give every place where a container may answer whoever is in `here`; `None` is on the host itself."""
    places: dict[str, bool] = {}
    published = () if rootless else _published(new, here)
    for place, outside in (*published, *_own(new, here, published=not rootless)):
        places.setdefault(place, outside)
    found = (Address(url=f"{scheme}://{place}", published=places[place]) for place in places for scheme in SCHEMES)
    return tuple(sorted(found, key=lambda address: not address.published))


def _published(new: Container, here: Container | None) -> Iterator[tuple[str, bool]]:
    """What is bound to the loopback of the host is reached by whoever shares its network alone."""
    on_host = here is None or _mode(here) == HOST
    gateways = [*_values(here, "Gateway"), *_values(new, "Gateway")]
    for _, bindings in sorted(_part(new, "NetworkSettings", "Ports").items()):
        for binding in bindings or ():
            address, port = str(binding.get("HostIp", "")), binding.get("HostPort")
            if address in ANY_ADDRESS:
                places = [LOOPBACK] * on_host + gateways
            else:
                places = [] if address.startswith("127.") and not on_host else [address]
            for place in places:
                yield f"{_bracketed(place)}:{port}", True


def _own(new: Container, here: Container | None, *, published: bool) -> Iterator[tuple[str, bool]]:
    ports = sorted(_ports(new))
    if _mode(new) == HOST:
        # It listens on the host itself: what people reach there is its own address.
        yield from ((f"{LOOPBACK}:{port}", published) for port in ports)
    shared = _part(here, "NetworkSettings", "Networks").keys() if here else ()
    networks = sorted(_part(new, "NetworkSettings", "Networks").items(), key=lambda one: (one[0] not in shared, one[0]))
    for _, settings in networks:
        if place := settings.get("IPAddress"):
            yield from ((f"{place}:{port}", False) for port in ports)


def _ports(new: Container) -> set[str]:
    """Name the ports at which it may listen: what it says itself, what its image says, what is published."""
    words = _part(new, "Config").get("Env") or ()
    said = {word.rpartition(":")[2] for word in words if word.startswith(f"{LISTEN}=")}
    named = {*_part(new, "Config", "ExposedPorts"), *_part(new, "HostConfig", "PortBindings")}
    return {port for port in said if port.isdecimal()} | {
        port.removesuffix(TCP) for port in named if port.endswith(TCP)
    }


def _values(container: Container | None, key: str) -> list[str]:
    networks = _part(container, "NetworkSettings", "Networks") if container else {}
    return [str(settings[key]) for _, settings in sorted(networks.items()) if settings.get(key)]


def _mode(container: Container) -> str:
    return str(_part(container, "HostConfig").get("NetworkMode", ""))


def _part(container: Container | None, *keys: str) -> Mapping[str, Any]:
    said: Any = container.said if container else {}
    for key in keys:
        said = said.get(key) if isinstance(said, Mapping) else None
    return said if isinstance(said, Mapping) else {}


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
