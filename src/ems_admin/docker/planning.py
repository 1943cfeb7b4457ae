"""What is to run as containers, worked out before anything is touched. Pure.

A service without a port of its own keeps the one it had: an address that people have noted down outlives a restart and
an upgrade. Source: `site.md` 6 (Stack), 8 (start).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen

from ems_admin.docker import labels
from ems_admin.docker.definition import Bind, Definition, known
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.sights import Row
from ems_admin.docker.stack_images import ServiceImage
from ems_admin.docker.surroundings import Surroundings
from ems_admin.engines.order import ordered
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest, MountSource
from ems_admin.workflows.ports.engine import EngineFailure

HIGHEST_PORT: Final = 65535
LOWEST_OF_OURS: Final = 1024
ENVIRONMENT: Final = {"EMS_CONFIG": "{config}", "EMS_DATA": "{data}", "EMS_PORT": "{port}"}
"""What every service finds in its environment; a stack may say otherwise."""


@frozen(kw_only=True)
class Ports:
    """Who has which ports of the host: what others have taken, and what each of our services had."""

    taken: frozenset[int]
    had: Mapping[str, int]

    @classmethod
    def of(cls, rows: Iterable[Row], site: str) -> Ports:
        """Read it from a list of all containers."""
        taken, had = set[int](), dict[str, int]()
        for row in rows:
            service = row.labels.get(labels.SERVICE)
            if row.labels.get(labels.SITE) != site or service is None:
                taken |= row.ports
            elif (port := known(row.labels).published) and (row.name == service or service not in had):
                had[service] = port
        return cls(taken=frozenset(taken), had=had)


def plan(
    manifest: Manifest, images: tuple[ServiceImage, ...], place: DockerPlace, around: Surroundings, ports: Ports
) -> tuple[Definition, ...] | EngineFailure:
    """Define the container of every service, in the order of start; `container_port_conflict` for a fixed port."""
    wanted, stack = ordered(images, service_of=lambda one: one.service), list[Definition]()
    fixed = frozenset(one.service.publish for one in wanted if one.service.publish)
    for one in wanted:
        given = frozenset(other.published for other in stack)
        service = one.service
        published = service.publish or next_port(
            ports.had.get(service.name) or service.port, ports.taken | given | fixed
        )
        if published in ports.taken | given:
            return EngineFailure(code=Code.CONTAINER_PORT_CONFLICT, detail=str(published))
        stack.append(define(manifest, one, place, around, published=published))
    return tuple(stack)


def next_port(first: int, taken: frozenset[int]) -> int:
    """Find the first port from `first` on that nobody is known to have taken."""
    port = first
    while port in taken:
        port = port + 1 if port < HIGHEST_PORT else LOWEST_OF_OURS
    return port


def define(
    manifest: Manifest, one: ServiceImage, place: DockerPlace, around: Surroundings, *, published: int
) -> Definition:
    """Say how one service is run: every word in braces is replaced, in command and environment."""
    service = one.service
    folders = {MountSource.CONFIG: place.config, MountSource.DATA: place.data}
    seen_at = {mount.source: mount.to for mount in service.mounts}
    words = {
        "{python}": "python3",
        "{config}": seen_at.get(MountSource.CONFIG, "/config"),
        "{data}": seen_at.get(MountSource.DATA, "/data"),
        "{port}": str(service.port),
    }

    def told(text: str) -> str:
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        return text

    return Definition(
        site=place.site,
        service=service.name,
        build_id=manifest.build_id,
        system_tag=manifest.system_tag,
        reference=one.reference,
        user=around.user,
        command=tuple(told(word) for word in service.command),
        environment=tuple((name, told(value)) for name, value in (ENVIRONMENT | service.environment).items()),
        binds=tuple(
            Bind(source=str(folders[mount.source]), target=mount.to, read_only=mount.read_only)
            for mount in service.mounts
        ),
        network=around.network,
        port=service.port,
        published=published,
        after=service.after,
        health_path=service.health.path,
        timeout_seconds=service.health.timeout_seconds,
        start_period_seconds=service.health.start_period_seconds,
        dashboard_path=service.dashboard_path,
    )
