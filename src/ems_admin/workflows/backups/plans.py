"""Restores that were previewed and are not carried out yet: memory of this process, which a restart is meant to lose.

A plan holds what is to be written, so that the password of a set is asked for once and kept nowhere.
Source: `http.md` 5.3 (restore); `faults.md` F16 (durations).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import define, field, frozen

from ems_admin.machines.records.backup import BackupFacts
from ems_admin.workflows.caller import Caller

LIFETIME: Final = 1200.0
"""Seconds of the boottime clock, as for every confirmation."""
CAPACITY: Final = 32


@frozen(kw_only=True)
class RestorePlan:
    """One restore, worked out to the byte."""

    id: str
    bearer: str
    """Who previewed it, and alone may carry it out."""
    backup: BackupFacts
    sha256: str
    """Of the set: one that was exchanged is not what was reviewed."""
    base_revision: str | None
    """The live config that it was worked out against; `None` for absence."""
    baseline: Mapping[str, Any] | None = field(repr=False)
    """That config, to show three ways by."""
    config: Mapping[str, Any] = field(repr=False)
    data: bytes = field(repr=False)
    """What becomes the live config."""
    secrets: dict[str, dict[str, str]] = field(repr=False)
    """What joins the credential store."""
    until: float
    """On the boottime clock."""


@define(kw_only=True, eq=False)
class RestorePlans:
    """All plans, oldest first. Mutable: it is memory."""

    kept: tuple[RestorePlan, ...] = ()

    def keep(self, plan: RestorePlan, now: float) -> None:
        """Remember a plan; the oldest ones make room."""
        self.kept = (*(old for old in self.kept if old.until > now), plan)[-CAPACITY:]

    def find(self, plan_id: str, caller: Caller, now: float) -> RestorePlan | None:
        """Find a plan of this caller that has not run out."""
        return next((p for p in self.kept if p.id == plan_id and p.bearer == caller.name and p.until > now), None)

    def forget(self, plan_id: str) -> None:
        """Use a plan up."""
        self.kept = tuple(plan for plan in self.kept if plan.id != plan_id)
