"""One cut of an upgrade as a value: where it stood when everything went dark, and how it has to end.

Source: `site.md` 9; `faults.md` F24, F28.
"""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.upgrade.steps import Step
from tests.docker.kills.case import Role


class Serving(StrEnum):
    """Which Admin serves when the upgrade begins."""

    GOOD = "the old one"
    """It is replaced on the way."""
    NEWER = "the new one"
    """It was updated before: the upgrade finds it aligned."""


class Wish(StrEnum):
    """What the operator does once the site is back."""

    GO_ON = "goes on"
    CALL_OFF = "calls it off"
    GIVE_UP = "goes on, and calls off what has failed"


@frozen(kw_only=True)
class UpgradeCut:
    """One case."""

    title: str
    """Behind or in the middle of what the power goes."""
    step: Step
    point: str
    """Where the process stands then, in the words of the fuse in the lab's images."""
    stage: Stage | None
    """Of the upgrade's operation on the disk then; `None` before there is one."""
    serving: Serving = Serving.NEWER
    role: Role = Role.ADMIN
    wish: Wish = Wish.GO_ON
    migrates: bool = True
    """Whether an old broker stands in the config, which the EMS of a called-off upgrade could not be started with."""
    well: bool = True
    """Whether the new EMS ever says that it is well; otherwise the known-good one is to come back by itself."""
    known_good: bool = False
    """Whether the new build is on record as good by then: only where its EMS has been found well."""
    heard: tuple[Code, ...] = ()
    """What the operator is refused, or told of work that ended badly, before the upgrade is over."""


@frozen(kw_only=True)
class CutGroup:
    """Cases that meet on one engine, which loses its power once for all of them."""

    title: str
    cases: tuple[UpgradeCut, ...]
