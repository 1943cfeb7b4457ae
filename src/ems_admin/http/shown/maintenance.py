"""The installed EMS and an edit of its config. Source: `http.md` 5.3 (Maintenance), 5.4 (Validate)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.config import ValidationShape
from ems_admin.http.shown.shape import Like, Told, fields, shown, told
from ems_admin.workflows.config.diff import Diff
from ems_admin.workflows.maintenance.config import Revised
from ems_admin.workflows.maintenance.containers import Containers, ServiceLog
from ems_admin.workflows.maintenance.overview import Overview
from ems_admin.workflows.upgrade.validate import UpgradeValidation


class RevisedShape(TypedDict):
    """What an edit comes to; no secret is in it."""

    validation: ValidationShape
    changed: bool
    diff: Annotated[Any, Diff]
    revision: str | None


@shown.register
def _revised(revised: Revised) -> RevisedShape:
    return {
        "validation": {"ready": not revised.findings, "errors": shown(revised.findings)},
        "changed": revised.changed,
        "diff": shown(revised.diff),
        "revision": revised.revision,
    }


@shown.register
def _overview(seen: Overview) -> Annotated[dict[str, Any], Like(kind=Overview, but={"update_unknown": Told | None})]:
    unknown = seen.update_unknown
    return fields(seen) | {"update_unknown": unknown and told(unknown.code, unknown.detail)}


@shown.register
def _containers(seen: Containers) -> Annotated[dict[str, Any], Like(kind=Containers, but={"unseen": Told | None})]:
    return fields(seen) | {"unseen": seen.unseen and told(seen.unseen)}


@shown.register
def _log(log: ServiceLog) -> Annotated[dict[str, Any], Like(kind=ServiceLog, but={"unseen": Told | None})]:
    return fields(log) | {"unseen": log.unseen and told(log.unseen)}


@shown.register
def _upgrade(found: UpgradeValidation) -> Annotated[dict[str, Any], Like(kind=UpgradeValidation, flat="validation")]:
    whole = fields(found)
    return {**whole.pop("validation"), **whole}
