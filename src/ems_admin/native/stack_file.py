"""`stack.json` in the install root: exactly what runs, for people to read and for the engine to look at again.

After a restart of the Admin it tells where health is asked and in which order services depend on one another. Which
process is whose never stands in it: that is the record's business.

Source: `site.md` 8 (stack file); `faults.md` F26.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Final

from attrs import field, frozen

from ems_admin.codec import DecodeError, decode, encode
from ems_admin.engines.disk import replace_file
from ems_admin.machines.records.build import Manifest
from ems_admin.native.place import Place
from ems_admin.native.programs import ServiceProgram
from ems_admin.native.sockets import LOOPBACK

FORMAT_VERSION: Final = 1
LIMIT: Final = 1024 * 1024
"""Bytes."""
ENVIRONMENT: Final = {"EMS_CONFIG": "{config}", "EMS_DATA": "{data}", "EMS_PORT": "{port}"}
"""What every service finds in its environment; a stack may say otherwise."""


def address(port: int) -> str:
    """Where a service answers, without a trailing slash."""
    return f"http://{LOOPBACK}:{port}"


@frozen(kw_only=True)
class StackService:
    """One service as it is run. Times are whole seconds."""

    name: str
    build_id: str
    system_tag: str
    digest: str
    program: str
    """The working directory, relative to the install root."""
    command: tuple[str, ...]
    environment: dict[str, str]
    after: tuple[str, ...]
    port: int
    health_path: str
    timeout_seconds: int
    start_period_seconds: int
    dashboard_path: str | None

    @property
    def url(self) -> str:
        """Where it answers, without a trailing slash."""
        return address(self.port)

    @property
    def health_url(self) -> str:
        """Where it is asked how it is."""
        return f"{self.url}/{self.health_path.removeprefix('/')}"

    @property
    def dashboard_url(self) -> str | None:
        """What people open."""
        return None if self.dashboard_path is None else f"{self.url}/{self.dashboard_path.removeprefix('/')}"

    @property
    def timeout(self) -> timedelta:
        """How long one answer may take."""
        return timedelta(seconds=self.timeout_seconds)

    @property
    def start_period(self) -> timedelta:
        """How long it may be silent or unwell after its start."""
        return timedelta(seconds=self.start_period_seconds)


@frozen(kw_only=True)
class StackFile:
    """Every service, in the order of start."""

    format_version: int = field(metadata={"format": FORMAT_VERSION})
    services: tuple[StackService, ...]

    def get(self, name: str) -> StackService | None:
        """Find a service by its name."""
        return next((service for service in self.services if service.name == name), None)


NOTHING: Final = StackFile(format_version=FORMAT_VERSION, services=())


def render(place: Place, manifest: Manifest, wanted: ServiceProgram, *, port: int) -> StackService:
    """Say how one service is run at one port: every word in braces is replaced, in command and environment."""
    service, program = wanted.service, wanted.program
    directory = place.program(manifest.build_id, program.directory)
    words = {
        "{python}": sys.executable,
        "{config}": str(place.config),
        "{data}": str(place.data),
        "{program}": str(directory),
        "{port}": str(port),
    }

    def told(text: str) -> str:
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        return text

    return StackService(
        name=service.name,
        build_id=manifest.build_id,
        system_tag=manifest.system_tag,
        digest=program.sha256,
        program=directory.relative_to(place.install_root).as_posix(),
        # The command of the service is what its image is given; a program brings its own.
        command=tuple(told(word) for word in program.command or service.command),
        environment={name: told(value) for name, value in (ENVIRONMENT | service.environment).items()},
        after=service.after,
        port=port,
        health_path=service.health.path,
        timeout_seconds=service.health.timeout_seconds,
        start_period_seconds=service.health.start_period_seconds,
        dashboard_path=service.dashboard_path,
    )


def write(place: Place, file: StackFile) -> None:
    """Replace `stack.json` as a whole, unless it says this already. Raises `OSError`."""
    data = encode(file, limit=LIMIT)
    if not place.stack_file.is_file() or place.stack_file.read_bytes() != data:
        replace_file(place.stack_file, data)


def read(place: Place) -> StackFile:
    """Read what the file says; nothing when it is absent or not ours.

    It is no authority: without it nothing is known of health and order, and processes are known all the same.
    """
    try:
        if not place.stack_file.is_file():  # a pipe in its place would be waited for
            return NOTHING
        return decode(place.stack_file.read_bytes(), StackFile, limit=LIMIT)
    except (OSError, DecodeError):
        return NOTHING
