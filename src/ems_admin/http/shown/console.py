"""The read model of the console. Source: `http.md` 5.3 (GET /api/admin/console)."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypedDict

import attrs

from ems_admin.http.shown.shape import Like, shown
from ems_admin.workflows.house import House
from ems_admin.workflows.views.console import Console

PARTS: Final = tuple(part.name for part in attrs.fields(Console) if part.name != "house")


class Instance(TypedDict):
    """The Admin that answers."""

    admin_instance_id: str
    system_tag: str | None
    build_id: str | None
    revision: str | None
    started_at: str


@shown.register
def _console(
    console: Console,
) -> Annotated[dict[str, Any], Like(kind=Console, but={"house": None, "instance": Instance})]:
    return {"instance": instance(console.house)} | {part: shown(getattr(console, part)) for part in PARTS}


def instance(house: House) -> Instance:
    """Name the Admin that answers; of a build that it cannot name, nothing is known."""
    own = house.own
    return {
        "admin_instance_id": house.instance_id,
        "system_tag": own.system_tag if own else None,
        "build_id": own.build_id if own else None,
        "revision": own.revision if own else None,
        "started_at": shown(house.started_at),
    }
