"""The read model of the console. Source: `http.md` 5.3 (GET /api/admin/console)."""

from __future__ import annotations

from typing import Any, Final

import attrs

from ems_admin.http.shown.shape import shown
from ems_admin.workflows.house import House
from ems_admin.workflows.views.console import Console

PARTS: Final = tuple(part.name for part in attrs.fields(Console) if part.name != "house")


@shown.register
def _console(console: Console) -> dict[str, Any]:
    return {"instance": instance(console.house)} | {part: shown(getattr(console, part)) for part in PARTS}


def instance(house: House) -> dict[str, Any]:
    """Name the Admin that answers; of a build that it cannot name, nothing is known."""
    own = house.own
    return {
        "admin_instance_id": house.instance_id,
        "system_tag": own and own.system_tag,
        "build_id": own and own.build_id,
        "revision": own and own.revision,
        "started_at": shown(house.started_at),
    }
