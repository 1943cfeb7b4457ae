"""Where a service answers, as it is asked from outside of its container.

At the published address, where people reach it; or, where an Admin in a container cannot get there (a firewall of the
host stands between the two), at the container's own address in the network that both are in. Nobody else asks there:
from outside of that network the same address may be another machine's.

Source: `site.md` 8; `faults.md` F26.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from attrs import frozen

from ems_admin.docker.containers import Container
from ems_admin.docker.definition import Known, known
from ems_admin.engines.asking import Answer, ask, page_loads

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = frozenset({"", "0.0.0.0", "::", "127.0.0.1", "::1"})  # noqa: S104  # read, not bound
"""Addresses for which this machine's own is as good as any."""


@frozen(kw_only=True)
class Addresses:
    """Where one service answers, each without a trailing slash."""

    shown: str | None
    """Where a person on the host opens it."""
    asked: tuple[str, ...]
    """Where it is asked from here; all of them lead to the same container."""


def addresses(container: Container, *, inside: bool, host: str = LOOPBACK) -> Addresses:
    """Read where a container answers. `inside` says that the Admin is a container too, and `host` is not its own."""
    told = known(container.labels)
    networks = _networks(container)
    binding = _binding(container, told)
    asked: list[str] = []
    shown: str | None = None
    if binding is not None:
        ip, port = binding
        shown = f"http://{_spelled(LOOPBACK if ip in EVERYWHERE else ip)}:{port}"
        # From inside of a container, the host of the daemon is at the gateway of its network.
        hosts = [str(one.get("Gateway") or "") for one in networks.values()] if inside else [host]
        asked += [f"http://{_spelled(one if ip in EVERYWHERE else ip)}:{port}" for one in hosts if one]
    own = [str(one.get("IPAddress") or "") for one in networks.values()] if inside else []
    asked += [f"http://{_spelled(ip)}:{told.port}" for ip in own if ip and told.port]
    return Addresses(shown=shown or (asked[0] if asked else None), asked=tuple(dict.fromkeys(asked)))


async def is_well(where: Addresses, told: Known, timeout: timedelta) -> Answer:
    """Ask for the health of a service, at every address at once: it is well where one of them says so."""
    return await _best([ask(url + told.health_path, timeout) for url in where.asked])


async def dashboard_loads(where: Addresses, path: str, timeout: timedelta) -> Answer:
    """Load the dashboard of a service with its scripts."""
    return await _best([page_loads(url + "/" + path.removeprefix("/"), timeout) for url in where.asked])


async def _best(questions: list[Any]) -> Answer:
    """Give the first good answer; without one, whether anybody answered at all."""
    tasks = [asyncio.ensure_future(question) for question in questions]
    heard = Answer.SILENT
    try:
        for done in asyncio.as_completed(tasks):
            match await done:
                case Answer.WELL:
                    return Answer.WELL
                case Answer.NOT_WELL:
                    heard = Answer.NOT_WELL
                case _:
                    pass
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return heard


def _networks(container: Container) -> Mapping[str, Mapping[str, Any]]:
    settings = container.said.get("NetworkSettings")
    found = settings.get("Networks") if isinstance(settings, dict) else None
    return {k: v for k, v in found.items() if isinstance(v, dict)} if isinstance(found, dict) else {}


def _binding(container: Container, told: Known) -> tuple[str, int] | None:
    """Find the address and port on the host that the port of the service is published at."""
    settings = container.said.get("NetworkSettings")
    ports = settings.get("Ports") if isinstance(settings, dict) else None
    bound = ports.get(f"{told.port}/tcp") if isinstance(ports, dict) else None
    for one in bound if isinstance(bound, list) else ():
        port = str(one.get("HostPort", "")) if isinstance(one, dict) else ""
        if port.isdecimal() and int(port):
            return str(one.get("HostIp") or ""), int(port)
    return None


def _spelled(ip: str) -> str:
    return f"[{ip}]" if ":" in ip else ip
