"""An update of the Admin alone. Source: `http.md` 5.3 (admin-update/status)."""

from __future__ import annotations

from typing import Annotated, Any

from ems_admin.http.shown.shape import Like, Told, fields, shown, told
from ems_admin.machines.codes import Code
from ems_admin.workflows.admin_update.status import AdminUpdateStatus


@shown.register
def _status(
    status: AdminUpdateStatus,
) -> Annotated[dict[str, Any], Like(kind=AdminUpdateStatus, but={"error": Told | None})]:
    error = status.error
    return fields(status) | {"error": error and told(Code(error.code), error.detail)}
