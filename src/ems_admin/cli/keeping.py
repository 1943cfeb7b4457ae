"""What the command line asks the composition to do with the backups of a site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

import click
from attrs import field, frozen

from ems_admin.cli.operating import Place
from ems_admin.machines.records.backup import BackupPart, BackupScope
from ems_admin.workflows.backups.planning import ConflictPolicy


@frozen
class List:
    """Every backup."""


@frozen(kw_only=True)
class Create:
    """A new one."""

    scope: BackupScope
    label: str
    password: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class Inspect:
    """What one holds."""

    id: str
    password: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class Compare:
    """One file of it beside what is there now."""

    id: str
    file: BackupPart
    password: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class Delete:
    """One that is to go."""

    id: str


@frozen(kw_only=True)
class Restore:
    """One that is to be restored; without a yes it is only said what that would change."""

    id: str
    scope: BackupScope
    conflict_policy: ConflictPolicy
    confirm: bool
    password: str | None = field(default=None, repr=False)


Errand: TypeAlias = List | Create | Inspect | Compare | Delete | Restore


@runtime_checkable
class Keeping(Protocol):
    """Who does it."""

    def keep(self, place: Place, errand: Errand) -> Mapping[str, Any]:
        """Do it and give what came of it as JSON. Raises `RefusalError`."""
        ...


def keeper(context: click.Context) -> Keeping:
    """Find who does it; the composition put it into the context."""
    found: Keeping | None = context.find_object(Keeping)  # type: ignore[type-abstract]
    if found is None:
        raise RuntimeError("the command line was composed without `Keeping`")
    return found
