"""Product (ii), every act of a Setup against every end: two callers, from each place at which the act is possible.

Exactly one of two things is true of an act: it owns the workflow until it can commit nothing any more, or the workflow
was over before it began. Source: `seed 000` 5.4.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.lifecycle.switch import Target
from ems_admin.workflows.alignment.resume import verify
from ems_admin.workflows.arbiter.start_path import Choice, start_path
from ems_admin.workflows.config.preview import preview
from ems_admin.workflows.deployment.permissions import repair_permissions
from ems_admin.workflows.setup.supersede import supersede
from tests.exploration import creation
from tests.exploration.explorer import Act
from tests.exploration.lifecycle import switching
from tests.memory.house import TAG
from tests.workflows.places import again
from tests.workflows.scene import Scene

PLACES: Final[Mapping[str, Callable[[], Scene]]] = {
    "opened": lambda: creation.stand("no operation"),
    "begun": lambda: creation.stand("its own operation"),
    "not fetched": lambda: creation.stand("its own failed operation"),
    **{place: partial(again, place) for place in ("fetched", "reviewed", "written", "prepared", "failed")},
}


def starting_over(scene: Scene) -> Coroutine[Any, Any, Any]:
    return start_path(scene.house, scene.caller, Choice.SETUP_NEW, confirm=True)


def verifying(scene: Scene) -> Coroutine[Any, Any, Any]:
    return verify(scene.house, scene.caller, creation.operation_of(scene))


def previewing(scene: Scene) -> Coroutine[Any, Any, Any]:
    return preview(scene.house, scene.caller, scene.draft, scene.workflow_id)


def repairing(scene: Scene) -> Coroutine[Any, Any, Any]:
    return repair_permissions(scene.house, scene.caller, scene.workflow_id)


ACTS: Final[Mapping[str, Act]] = {
    "start path": starting_over,
    "fetch": lambda scene: scene.fetching(),
    "resume": lambda scene: scene.resuming(operation_id=creation.operation_of(scene)),
    "verify": verifying,
    "preview": previewing,
    "apply": lambda scene: scene.applying(overwrite=True),
    "write": lambda scene: scene.writing(overwrite=True),
    "repair": repairing,
    "prepare": lambda scene: scene.preparing(overwrite=True),
    "start": lambda scene: scene.starting(),
}
ENDS: Final[Mapping[str, Act]] = {
    "abandon": lambda scene: scene.abandoning(),
    "supersede": lambda scene: supersede(scene.house, scene.caller, scene.workflow_id, TAG),
    "switch": switching(Target.NONE),
}
POSSIBLE: Final[Mapping[str, tuple[str, ...]]] = {
    "opened": ("start path", "fetch"),
    "begun": ("fetch", "resume", "verify"),
    "not fetched": ("resume",),
    "fetched": ("preview", "start path"),
    "reviewed": ("apply", "write", "preview"),
    "written": ("apply", "prepare"),
    "prepared": ("repair", "prepare", "start"),
    "failed": ("resume", "start"),
}
"""Which act is possible where."""
COMPLETING: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "prepared": ("start", ("start path", "resume", "preview", "write", "apply", "repair", "prepare")),
    "failed": ("resume", ("start", "write")),
}
"""Where a Setup can be completed, by which act, and what it may meet there."""


@frozen
class Pair:
    """One act and one end, and where they meet."""

    place: str
    act: str
    end: str

    def __str__(self) -> str:
        return f"{self.place}: {self.act} and {self.end}"

    @property
    def acts(self) -> tuple[Act, Act]:
        return ACTS[self.act], {**ACTS, **ENDS}[self.end]

    @property
    def only_ends(self) -> frozenset[str]:
        """Name the caller who only ends something."""
        return frozenset({"caller 1"}) if self.end in ENDS else frozenset()


PAIRS: Final = (
    *(Pair(place, act, end) for place, acts in POSSIBLE.items() for act in acts for end in ("abandon", "supersede")),
    *(Pair(place, acts[-1], "switch") for place, acts in POSSIBLE.items()),
    *(Pair(place, act, end) for place, (end, acts) in COMPLETING.items() for act in acts),
)
