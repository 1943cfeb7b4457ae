"""Guided Upgrade. Source: `http.md` 5.3 (Guided Upgrade and Admin update)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from attrs import asdict, frozen

from ems_admin.http.route import Asked, Granted, Nothing, Outside, post
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.upgrade import executing, resuming
from ems_admin.workflows.upgrade.plan import Plan, make_plan
from ems_admin.workflows.upgrade.validate import UpgradeValidation, validate_upgrade


@frozen(kw_only=True)
class Target:
    """The build that is to replace the installed one."""

    tag: str


@frozen(kw_only=True)
class Options:
    """What the operator chooses. What is left out is done; the way back by itself is not."""

    backup: bool = True
    config_check: bool = True
    config_add_keys: bool = True
    pull_image: bool = True
    recreate: bool = True
    diagnostics: bool = True
    auto_rollback: bool = False

    @property
    def chosen(self) -> UpgradeOptions:
        """What the workflow is asked."""
        return UpgradeOptions(**asdict(self))


@frozen(kw_only=True)
class Wish(Target):
    """A build that was verified, and how the upgrade to it is wished."""

    options: Options = Options()
    selection_fingerprint: str | None = None


@frozen(kw_only=True)
class Agreed(Wish):
    """A plan, and that it is agreed to."""

    migration_revision: str | None = None
    plan_fingerprint: str | None = None
    confirm: bool = False

    @property
    def request(self) -> executing.UpgradeRequest:
        """What the workflow is asked."""
        return executing.UpgradeRequest(
            tag=self.tag,
            options=self.options.chosen,
            selection_fingerprint=self.selection_fingerprint,
            migration_revision=self.migration_revision,
            plan_fingerprint=self.plan_fingerprint,
            confirm=self.confirm,
        )


@frozen(kw_only=True)
class Operation:
    """The operation of an upgrade."""

    operation_id: str | None = None


async def look(asked: Asked[Target, Nothing]) -> Granted[UpgradeValidation]:
    """Verify a build as an upgrade of what is installed."""
    return Granted(await validate_upgrade(asked.house, asked.body.tag))


async def plan(asked: Asked[Wish, Nothing]) -> Granted[Plan]:
    """Work an upgrade out: what it would do, interrupt and need. Nothing is stored."""
    wish = asked.body
    return Granted(await make_plan(asked.house, wish.tag, wish.options.chosen, wish.selection_fingerprint))


async def execute(asked: Asked[Agreed, Nothing]) -> Granted[Job]:
    """Carry out what was planned and agreed to."""
    return Granted(await executing.execute(asked.house, asked.caller, asked.body.request), HTTPStatus.ACCEPTED)


async def go_on(asked: Asked[Operation, Nothing]) -> Granted[AlignmentStatus | Job]:
    """Go on with an upgrade: its job, or the status while another Admin is waited for."""
    answer = await resuming.resume_upgrade(asked.house, asked.caller, asked.body.operation_id)
    return Granted(answer, HTTPStatus.ACCEPTED if isinstance(answer, Job) else HTTPStatus.OK)


ROUTES: Final = (
    post(
        "/api/admin/maintenance/upgrade/validate",
        "Verify a build as an upgrade of what is installed",
        look,
        Outside.LOOKS,
        body=Target,
        scope=Scope.UPGRADE,
    ),
    post(
        "/api/admin/maintenance/upgrade/plan",
        "Work an upgrade out, and store nothing",
        plan,
        Outside.LOOKS,
        body=Wish,
        scope=Scope.UPGRADE,
    ),
    post(
        "/api/admin/maintenance/upgrade/execute",
        "Carry out the upgrade that was planned",
        execute,
        executing.ROW,
        body=Agreed,
        scope=Scope.UPGRADE,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
    post(
        "/api/admin/maintenance/upgrade/resume",
        "Go on with the upgrade",
        go_on,
        resuming.ROW,
        body=Operation,
        scope=Scope.UPGRADE,
        statuses=(HTTPStatus.OK, HTTPStatus.ACCEPTED),
    ),
)
