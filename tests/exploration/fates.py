"""What may become of one step of a caller: everything that a store can answer, and an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.records import Commit, NotCommitted, Unprovable
from tests.memory.world import Call, Fault, Mark
from tests.workflows.scene import Scene

COMMIT: Final = "commit "


@frozen
class Fate:
    """One thing that can happen instead of what usually does."""

    name: str
    meets: Callable[[Mark], bool]
    """Whether it can happen at this place."""
    strike: Callable[[Scene, Mark | None], None]
    """Let it happen at the next step."""


def of_commits(*names: str) -> tuple[Fate, ...]:
    """Give every outcome of a commit of these records that is not proved durable."""
    full = NotCommitted(code=Code.STATE_WRITE_FAILED, detail="no space left on device")
    return (
        _fate("not committed", names, full, lands=False),
        _fate("unprovable, landed", names, Unprovable(), lands=True),
        _fate("unprovable, absent", names, Unprovable(), lands=False),
        _fate("unreadable, landed", names, Unprovable(), lands=True, blinds=True),
        _fate("unreadable, absent", names, Unprovable(), lands=False, blinds=True),
    )


def _fate(name: str, names: tuple[str, ...], outcome: Commit, *, lands: bool, blinds: bool = False) -> Fate:
    marks = frozenset(Call(f"{COMMIT}{record}") for record in names)

    def strike(scene: Scene, mark: Mark | None) -> None:
        record = mark.name.removeprefix(COMMIT) if mark else ""
        scene.site.world.faults[record] = Fault(outcome=outcome, lands=lands, blinds=blinds)

    return Fate(name, marks.__contains__, strike)
