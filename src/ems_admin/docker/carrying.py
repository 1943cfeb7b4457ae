"""What somebody has given the container of a service beside its definition: further networks, and fixed addresses.

A definition knows one network. Whoever has connected a service to another one, or gave it an address of its own there,
finds both again at its successor. Pure. Source: `faults.md` F25.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.docker.containers import Container
from ems_admin.docker.creating import OF_THE_ENGINE
from ems_admin.docker.definition import Definition
from ems_admin.docker.labels import SERVICE
from ems_admin.docker.own_container import SHORT

KEPT: Final = ("IPAMConfig", "Links", "DriverOpts")


@frozen(kw_only=True)
class Joined:
    """One network, and how a container has joined it."""

    network: str
    endpoint: Mapping[str, Any]
    anew: bool
    """The container is in it already, without the address: it has to leave it first."""


def predecessor_of(wanted: Definition, ours: Iterable[Container]) -> Container | None:
    """Find the container of the same service that ran last, whatever it is called now."""
    others = [one for one in ours if one.labels.get(SERVICE) == wanted.service and one.started_at is not None]
    return max(others, key=lambda one: one.started_at.timestamp() if one.started_at else 0.0, default=None)


def missing_networks(wanted: Definition, successor: Container, predecessor: Container) -> tuple[Joined, ...]:
    """Name what the predecessor has joined and the successor has not, in the order of the names.

    In the network of the definition only an address that somebody has fixed is worth a word; the networks of the engine
    know neither names nor addresses of one's own.
    """
    had, has = _networks(predecessor), _networks(successor)
    found = []
    for network in sorted(had.keys() - OF_THE_ENGINE - (_defined(predecessor) - {wanted.network})):
        own = network == wanted.network
        endpoint = _endpoint(had[network], predecessor, wanted)
        if own and (not endpoint.get("IPAMConfig") or has.get(network, {}).get("IPAMConfig") == endpoint["IPAMConfig"]):
            continue
        if own or network not in has:
            found.append(Joined(network=network, endpoint=endpoint, anew=network in has))
    return tuple(found)


def _defined(container: Container) -> set[str]:
    """Name the network that it was created in: where a definition says another one by now, that is meant."""
    host = container.said.get("HostConfig")
    return {str(host.get("NetworkMode"))} if isinstance(host, dict) else set()


def _endpoint(settings: Mapping[str, Any], container: Container, wanted: Definition) -> dict[str, Any]:
    given = set(settings.get("Aliases") or ()) - {container.id[:SHORT]}
    kept = {key: settings[key] for key in KEPT if settings.get(key)}
    return {**kept, "Aliases": sorted({*given, wanted.service})}


def _networks(container: Container) -> dict[str, Mapping[str, Any]]:
    settings = container.said.get("NetworkSettings")
    found = settings.get("Networks") if isinstance(settings, dict) else None
    return {k: v for k, v in found.items() if isinstance(v, dict)} if isinstance(found, dict) else {}
