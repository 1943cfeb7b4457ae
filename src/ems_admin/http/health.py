"""Whether this Admin does its work, each part really asked. Public, and therefore without a word about the site.

Source: `http.md` 5.4 (Health checks); `faults.md` F26.
"""

from __future__ import annotations

from typing import Final

import structlog
from attrs import frozen

from ems_admin.http import events
from ems_admin.http.desk import Desk
from ems_admin.http.shown import shown
from ems_admin.workflows.house import House
from ems_admin.workflows.views.console import console

OK: Final = "ok"
FAILED: Final = "failed"

_log = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Health:
    """The answer of `GET /api/admin/health`."""

    admin_instance_id: str
    build_id: str | None
    revision: str | None
    started_for: str | None
    """`<operation>-<attempt>` when an updater started this Admin."""
    checks: dict[str, str]


async def health(desk: Desk) -> Health:
    """Check every part. Never refuses: what does not work is shown as failed."""
    house = desk.house
    checks = {
        "assets": desk.assets.complete,
        "read_model": await read_model_is_built(house),
        "events": await events.opens(desk),
        "records": house.startup.passed,
    }
    return Health(
        admin_instance_id=house.instance_id,
        build_id=house.own.build_id if house.own else None,
        revision=house.own.revision if house.own else None,
        started_for=house.started_for,
        checks={name: OK if fine else FAILED for name, fine in checks.items()},
    )


async def read_model_is_built(house: House) -> bool:
    """Build the read model to the last field, as the console would get it."""
    try:
        shown(await console(house))
    except Exception:  # noqa: BLE001  # whether anything at all goes wrong is the very question
        _log.exception("the read model cannot be built")
        return False
    return True
