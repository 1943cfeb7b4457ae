"""What a full backup keeps besides config and credentials: how the site stood, each file by its own decoder.

What fails it is not passed on: it is named in the set instead. Source: `faults.md`, State files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import yaml
from attrs import frozen

from ems_admin import codec
from ems_admin.machines.records.backup import BackupPart, LeftOut
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood, SelectedRelease
from ems_admin.machines.records.reading import ReadFault
from ems_admin.stores.disk import DISK, Disk
from ems_admin.stores.failures import unreadable
from ems_admin.stores.folders import Folder, read_file
from ems_admin.workflows.ports.backups import Gathered, KeptFile

Decoder = Callable[[bytes], object]
"""Raises `TextError` or `DecodeError`."""

STATE: Final = "state/"


def _stack(data: bytes) -> object:
    try:
        value = yaml.safe_load(data)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise codec.TextError(ReadFault.WRONG_SHAPE) from error
    if not isinstance(value, dict):
        raise codec.TextError(ReadFault.WRONG_TYPE)
    return value


DECODERS: Final[dict[BackupPart, Decoder]] = {
    BackupPart.RUNTIME_STATE: codec.parse,
    BackupPart.NATIVE_STACK: codec.parse,
    BackupPart.COMPOSE_FILE: _stack,
    BackupPart.MARKER: lambda data: codec.decode(data, DeploymentMarker),
    BackupPart.SELECTED_RELEASE: lambda data: codec.decode(data, SelectedRelease),
    BackupPart.KNOWN_GOOD: lambda data: codec.decode(data, KnownGood),
}
"""In the order in which they lie in a set."""


@frozen(kw_only=True)
class Evidence:
    """The files of one site."""

    install_root: Path
    admin_data: Path
    disk: Disk = DISK

    def gather(self) -> Gathered:
        """Read them. Blocking."""
        found = [one for part in DECODERS if (one := self._look(part)) is not None]
        return Gathered(
            files=tuple(one for one in found if isinstance(one, KeptFile)),
            left_out=tuple(one for one in found if isinstance(one, LeftOut)),
        )

    def _look(self, part: BackupPart) -> KeptFile | LeftOut | None:
        root = self.admin_data if part.startswith(STATE) else self.install_root
        *folders, name = part.split("/")
        try:
            with Folder(str(root), tuple(folders)).opened(self.disk) as at:
                data = read_file(name, at=at, limit=codec.RECORD_LIMIT, disk=self.disk)
        except FileNotFoundError:
            return None
        except OSError as error:
            return LeftOut(name=part, fault=unreadable(error).fault)
        return None if data is None else decoded(part, data)


def decoded(part: BackupPart, data: bytes) -> KeptFile | LeftOut:
    """Ask the file's own decoder."""
    try:
        DECODERS[part](data)
    except (codec.TextError, codec.DecodeError) as error:
        return LeftOut(name=part, fault=error.fault)
    return KeptFile(name=part, data=data)
