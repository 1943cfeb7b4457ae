"""One service as a container: all that it is created from, and what its labels tell of it afterwards.

Whoever looks at the container later, also another Admin after a restart, knows from the labels alone where it is asked
for its health and in which order it stands; the hash says whether it is the very same that would be created now.

Source: `site.md` 6 (Stack), 8 (docker).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from attrs import asdict, frozen

from ems_admin.docker import labels
from ems_admin.docker.containers import Container
from ems_admin.machines.values.fingerprints import sha256_of

GRACE: Final = timedelta(seconds=10)
"""Between the request to end and the kill."""
RESTART_POLICY: Final = "unless-stopped"
SECURITY: Final = ("no-new-privileges",)


@frozen(kw_only=True)
class Bind:
    """A folder of the host, at the same path as the Admin has it, and where the service sees it."""

    source: str
    target: str
    read_only: bool


@frozen(kw_only=True)
class Definition:
    """All that a service's container is created from. Times are whole seconds."""

    site: str
    service: str
    build_id: str
    system_tag: str
    reference: str
    user: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    binds: tuple[Bind, ...]
    network: str
    port: int
    """Inside of the container."""
    published: int
    """On the host, at all addresses."""
    after: tuple[str, ...]
    health_path: str
    timeout_seconds: int
    start_period_seconds: int
    dashboard_path: str | None

    @property
    def hash(self) -> str:
        """SHA-256 of all of it: an equal one is left alone."""
        return sha256_of([asdict(self), GRACE.total_seconds(), RESTART_POLICY, SECURITY])

    @property
    def labels(self) -> dict[str, str]:
        """Give what its container is labelled with."""
        told = {
            labels.SITE: self.site,
            labels.SERVICE: self.service,
            labels.SYSTEM_TAG: self.system_tag,
            labels.BUILD_ID: self.build_id,
            labels.DEFINITION: self.hash,
            labels.COMPOSE_PROJECT: labels.project(self.site),
            labels.COMPOSE_SERVICE: self.service,
            labels.AFTER: " ".join(self.after),
            labels.PORT: str(self.port),
            labels.PUBLISHED: str(self.published),
            labels.HEALTH_PATH: self.health_path,
            labels.HEALTH_TIMEOUT: str(self.timeout_seconds),
            labels.START_PERIOD: str(self.start_period_seconds),
        }
        return told if self.dashboard_path is None else told | {labels.DASHBOARD_PATH: self.dashboard_path}

    def is_of(self, container: Container) -> bool:
        """Say whether a container was created from exactly this."""
        return container.labels.get(labels.DEFINITION) == self.hash and container.image == self.reference


@frozen(kw_only=True)
class Known:
    """What the labels of a container of ours tell. One that was tampered with is asked as well as it can be."""

    service: str
    build_id: str | None
    after: tuple[str, ...]
    port: int
    published: int
    health_path: str
    timeout: timedelta
    start_period: timedelta
    dashboard_path: str | None


def known(told: Mapping[str, str]) -> Known:
    """Read the labels of a container of ours; what is missing or makes no sense is taken as usual."""
    return Known(
        service=told.get(labels.SERVICE, ""),
        build_id=told.get(labels.BUILD_ID),
        after=tuple(told.get(labels.AFTER, "").split()),
        port=_number(told, labels.PORT, 0),
        published=_number(told, labels.PUBLISHED, 0),
        health_path="/" + told.get(labels.HEALTH_PATH, "/").removeprefix("/"),
        timeout=timedelta(seconds=_number(told, labels.HEALTH_TIMEOUT, 3) or 3),
        start_period=timedelta(seconds=_number(told, labels.START_PERIOD, 10)),
        dashboard_path=told.get(labels.DASHBOARD_PATH),
    )


def _number(told: Mapping[str, str], label: str, usual: int) -> int:
    text = told.get(label, "")
    return int(text) if text.isdecimal() and len(text) <= len("65535") else usual
