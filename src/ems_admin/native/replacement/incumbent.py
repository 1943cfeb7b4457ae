"""The Admin that is to be replaced, as it says of itself: enough to stop exactly it, and to start it again as it was.

No secret is written down. Of its environment only what is named here is kept; the rest goes from process to process,
and whoever starts the site after a reboot brings its own. Source: `replacement.md` 7.4 (U3), 7.8; `faults.md` F33.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from attrs import define, field, frozen

from ems_admin.codec import DecodeError, canonical, decode, encode, parse
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.native import updater_locks
from ems_admin.native.processes import Identity, Processes

FORMAT: Final = 1
ADDRESS_OPTIONS: Final = ("--listen", "--port")
NAMED_PORT: Final = re.compile(r"(.*:)?0")
"""The value of such an option that lets the machine choose."""
KEPT: Final = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "PYTHONPATH", "LD_LIBRARY_PATH", "XDG_RUNTIME_DIR"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "EMS_ADMIN_INSTALL_ROOT", "EMS_ADMIN_DATA_DIR", "EMS_ADMIN_PUID"),
    *("EMS_ADMIN_PGID", "EMS_ADMIN_TRUSTED_ORIGINS"),
)


@define(kw_only=True)
class Reachable:
    """Where the Admin of this process answers. Mutable: it is known only once it serves."""

    url: str | None = None


@frozen(kw_only=True)
class Incumbent:
    """One Admin that runs from a program tree and is served."""

    format_version: int = field(metadata={"format": FORMAT})
    build_id: str
    digest: str
    """Of its program tree."""
    python: str
    arguments: tuple[str, ...]
    """What it was started with, behind the name of the program."""
    directory: str
    environment: dict[str, str]
    url: str
    """Where it really answers, without a trailing slash."""
    pid: int
    start_ticks: int
    boot_id: str

    @property
    def identity(self) -> Identity:
        """Its process."""
        return Identity(pid=self.pid, start_ticks=self.start_ticks, boot_id=self.boot_id)

    @property
    def port(self) -> int:
        """The port that it listens at."""
        return port_of(self.url)


@frozen(kw_only=True)
class Remembered:
    """The snapshot of the run record, natively."""

    format_version: int = field(metadata={"format": FORMAT})
    incumbent: Incumbent
    pointer: CurrentAdmin | None
    """What `current-admin.json` said; null when it was not there."""

    @property
    def text(self) -> str:
        """Write it for the run record."""
        return canonical(parse(encode(self))).decode()


def remembered(text: str | None) -> Remembered | None:
    """Read the snapshot of a run record; `None` when there is none that can be read."""
    if text is None:
        return None
    try:
        return decode(text.encode(), Remembered)
    except DecodeError:
        return None


def this_process(own: OwnIdentity, digest: str, url: str, processes: Processes) -> Incumbent:
    """Describe the Admin that this very process is. Raises `Unaskable`."""
    identity = processes.find(os.getpid())
    if identity is None:
        raise RuntimeError("this process is not in /proc")
    return Incumbent(
        format_version=FORMAT,
        build_id=own.build_id,
        digest=digest,
        python=sys.executable,
        arguments=tuple(at_port(sys.argv[1:], port_of(url))),
        directory=str(Path.cwd()),
        environment=kept(os.environ),
        url=url,
        pid=identity.pid,
        start_ticks=identity.start_ticks,
        boot_id=identity.boot_id,
    )


def told(state: Path, operation_id: str, attempt: int) -> Incumbent | None:
    """Read what the Admin left for the updater of this attempt; `None` when it cannot be read."""
    try:
        return decode(updater_locks.word(state, operation_id, attempt), Incumbent)
    except (OSError, DecodeError):
        return None


def tell(state: Path, operation_id: str, attempt: int, incumbent: Incumbent) -> None:
    """Leave it. Raises `OSError`."""
    updater_locks.leave_word(state, operation_id, attempt, encode(incumbent))


def kept(environment: Mapping[str, str]) -> dict[str, str]:
    """Choose what may be written down."""
    return {name: environment[name] for name in KEPT if name in environment}


def port_of(url: str) -> int:
    """Read the port of an address."""
    parts = urlsplit(url)
    return parts.port or {"https": 443}.get(parts.scheme, 80)


def at_port(arguments: list[str], port: int) -> Iterator[str]:
    """Give the arguments with the port that the machine chose in the place of the 0 that let it choose."""
    before = ""
    for word in arguments:
        option, joined, value = word.rpartition("=") if word.startswith("--") else (before, "", word)
        if option in ADDRESS_OPTIONS and (chosen := NAMED_PORT.fullmatch(value)):
            head = f"{option}=" if joined else ""
            yield f"{head}{chosen.group(1) or ''}{port}"
        else:
            yield word
        before = word
