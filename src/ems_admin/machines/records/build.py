"""A System Build: one tag naming an Admin and an EMS that were built together, with all that is needed to run them.

Source: `site.md` 6.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import field, frozen

from ems_admin.machines.records.transition import CompatibilityMode


class Channel(StrEnum):
    """How a build was published."""

    STABLE = "stable"
    RC = "rc"
    DEVELOPMENT = "development"
    LOCAL = "local"


@frozen(kw_only=True)
class ImagePin:
    """An image and the digest that decides; both null for a build that runs natively only."""

    image: str | None
    digest: str | None


@frozen(kw_only=True)
class Program:
    """A program tree for the native engine."""

    directory: str
    """Relative to the root of the archive; the working directory of the program."""
    command: tuple[str, ...]
    """`{python}`, `{config}`, `{data}` and `{port}` in it stand for the Admin's interpreter, the two folders of the
    install root, and the port of the service."""
    sha256: str
    """Of the tree (`machines/values/trees.py`)."""


class MountSource(StrEnum):
    """What may be mounted into a service."""

    CONFIG = "config"
    DATA = "data"


@frozen(kw_only=True)
class Mount:
    """One folder of the install root as a service sees it."""

    source: MountSource = field(metadata={"key": "from"})
    """Stored under the key `from`, which Python keeps for itself."""
    to: str
    read_only: bool


@frozen(kw_only=True)
class HealthCheck:
    """How a service says that it is well. Times are whole seconds."""

    path: str
    interval_seconds: int
    timeout_seconds: int
    start_period_seconds: int


@frozen(kw_only=True)
class Service:
    """One service of the stack."""

    name: str
    image: str | None
    """`admin`, `ems`, a digest reference, or null."""
    program: str | None
    after: tuple[str, ...]
    command: tuple[str, ...]
    environment: dict[str, str]
    mounts: tuple[Mount, ...]
    port: int
    publish: int
    """0 for a free one."""
    health: HealthCheck
    dashboard_path: str | None


@frozen(kw_only=True)
class Stack:
    """What runs together, in dependency order."""

    format_version: int
    services: tuple[Service, ...]


@frozen(kw_only=True)
class Manifest:
    """`system-build.json`."""

    format_version: int
    system_tag: str
    channel: Channel
    revision: str
    build_id: str
    built_at: datetime
    admin: ImagePin
    ems: ImagePin
    compatibility_mode: CompatibilityMode
    requires: str
    """SHA-256 of the lock file of the third-party packages."""
    stack: str
    config_template: str
    config_schema: str
    programs: dict[str, Program]
    files: dict[str, str]
    """SHA-256 of every file, by path."""


@frozen(kw_only=True)
class CatalogueEntry:
    """One build that a source offers."""

    tag: str
    channel: Channel
    revision: str
    build_id: str
    built_at: datetime
    released_at: datetime
    notes: str
    archive: ArchiveRef


@frozen(kw_only=True)
class ArchiveRef:
    """Where the archive of a build lies, relative to its catalogue, and what it must hash to."""

    path: str
    sha256: str
    bytes: int


@frozen(kw_only=True)
class OwnIdentity:
    """Which build this very Admin is; `digest` is null when it cannot be known (a plain checkout)."""

    system_tag: str
    build_id: str
    revision: str
    built_at: datetime
    digest: str | None
    requires: str
    image_id: str | None = None
    """Of the image that it runs from; null natively, and while nobody has said so."""
