"""`runtime-state.json`: what was changed while the EMS runs, apart from its config.

{format_version, overrides {dotted key: value}, updated_at}. Two programs write it, so every change is made under the
lock file beside it, and the file is replaced as a whole. One that cannot be read is left as it is and overrides
nothing: it must never keep the house without its EMS.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from .config import Config
from .control import Limits

FORMAT_VERSION = 1
NAME = "runtime-state.json"
LOCK = ".runtime-state.lock"
LONGEST_WAIT = 10.0
SWITCHES = frozenset({"system.dry_run", "features.winter_mode"})
NUMBERS = frozenset({"system.max_total_power", "system.deadband", "system.loop_interval_seconds"})
HIGHEST_NUMBER = 100_000


class UnreadableError(Exception):
    """The file is there and says nothing that can be used."""


class LockedError(Exception):
    """Somebody else holds the lock for too long."""


@frozen
class RuntimeState:
    """The file below a data folder."""

    data: Path

    @property
    def place(self) -> Path:
        """Where it lies."""
        return self.data / NAME

    def overrides(self) -> dict[str, Any]:
        """Read what is overridden; nothing when there is no file. Raises `UnreadableError`."""
        try:
            document = json.loads(self.place.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise UnreadableError(NAME) from error
        overrides = document.get("overrides") if isinstance(document, dict) else None
        if not isinstance(overrides, dict) or document.get("format_version") != FORMAT_VERSION:
            raise UnreadableError(NAME)
        return overrides

    def begin(self) -> None:
        """Make the file when there is none. Raises `OSError`, `LockedError`."""
        with self.locked():
            if not self.place.exists():
                self.replace({})

    def change(self, changes: Mapping[str, Any]) -> None:
        """Override some keys and keep all others. Raises `UnreadableError`, `LockedError`, `OSError`."""
        with self.locked():
            self.replace(self.overrides() | dict(changes))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock file; it is never removed, or two could hold it."""
        self.data.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.data / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            give_up = time.monotonic() + LONGEST_WAIT
            while not try_lock(descriptor):
                if time.monotonic() > give_up:
                    raise LockedError(LOCK)
                time.sleep(0.05)
            yield
        finally:
            os.close(descriptor)

    def replace(self, overrides: Mapping[str, Any]) -> None:
        """Put a new file in the place of the old one, durably, or leave the old one."""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        document = {"format_version": FORMAT_VERSION, "overrides": dict(overrides), "updated_at": now}
        temporary = self.data / f".{NAME}.{os.urandom(4).hex()}.tmp"
        try:
            with temporary.open("x", encoding="utf-8") as file:
                file.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.place)
        finally:
            temporary.unlink(missing_ok=True)
        folder = os.open(self.data, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def try_lock(descriptor: int) -> bool:
    """Take the lock if nobody else has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def limits(config: Config, overrides: Mapping[str, Any]) -> Limits:
    """Give what the loop goes by: the config, and over it every override that makes sense."""
    system = config.system
    known = Limits(
        dry_run=system.dry_run,
        max_total_power=system.max_total_power,
        deadband=system.deadband,
        loop_interval_seconds=system.loop_interval_seconds,
        winter_mode=config.features.winter_mode,
    )
    sane = {key.partition(".")[2]: value for key, value in overrides.items() if makes_sense(key, value)}
    return evolve(known, **sane)


def makes_sense(key: str, value: Any) -> bool:
    """Say whether an override is one of ours and within bounds."""
    if key in SWITCHES:
        return isinstance(value, bool)
    lowest = 1 if key == "system.loop_interval_seconds" else 0
    return key in NUMBERS and type(value) is int and lowest <= value <= HIGHEST_NUMBER
