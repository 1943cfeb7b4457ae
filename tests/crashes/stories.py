"""What a workflow is here: where it begins, the act that is killed, and the collection of all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Seam
from tests.crashes.ground import Ground
from tests.crashes.house import FileScene
from tests.workflows.scene import Scene
from tests.workflows.test_offers import ACTS

Act = Callable[[FileScene], object]


@frozen(kw_only=True)
class Story:
    """One workflow. It begins in memory, is laid down as files, and acts there."""

    title: str
    before: Callable[[], Scene]
    act: Act
    seams: tuple[Seam, ...] = ()
    """The seams that it walks."""
    laid: Callable[[Ground], None] = lambda _ground: None
    """What is done to the files before it begins."""
    updater: bool = False
    """Whether it is the updater that acts, and is killed."""
    expects: str | None = None
    """The code that the act answers where it tells of a failure."""


UPDATER: Final[Act] = lambda _scene: None  # noqa: E731  # an act like the others
"""The act of a story whose updater walks by itself."""


def act(name: str) -> Act:
    """Do what the console offers under this name, and let its job come to its end."""

    def acting(scene: FileScene) -> None:
        scene.do(ACTS[name](scene))
        scene.finish()

    return acting
