"""Who may meet whom on one site, where, and every way in which it may end."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from attrs import frozen

from ems_admin.workflows.arbiter.start_path import Choice, start_path
from ems_admin.workflows.config.preview import preview
from ems_admin.workflows.setup import system_build
from tests.exploration.explorer import Act
from tests.workflows.places import again
from tests.workflows.scene import CONFIG, Scene

ENDED = "setup_workflow_not_active"
BUSY = "setup_operation_in_progress"


def at(place: str) -> Callable[[], Scene]:
    return lambda: again(place)


@cache
def _confirmed() -> tuple[Scene, str | None, str | None]:
    scene = again("opened")
    first, second = scene.open().setup_intent_id, scene.open().setup_intent_id
    return scene, first, second


def opened_twice() -> Scene:
    """Two confirmations of one workflow, one for each caller."""
    kept, first, second = _confirmed()
    scene = again("opened")
    scene.site.ids.count = kept.site.ids.count
    scene.house.intents.kept = dict(kept.house.intents.kept)
    scene.intent_id, scene.spare_intent_id = first, second
    return scene


def own_intents() -> dict[str, str]:
    """Say whose confirmation is whose."""
    scene = opened_twice()
    return {"caller 0": scene.intent_id or "", "caller 1": scene.spare_intent_id or ""}


@cache
def _cut() -> dict[str, bytes]:
    scene = again("opened")
    scene.open()
    scene.do(scene.fetching())
    return scene.files


def interrupted() -> Scene:
    """The operation is there and its process gone: the build is still to be fetched."""
    scene = again("opened")
    scene.site.world.files = dict(_cut())
    scene.site.ids.count = 50
    return scene


def reviewed_config() -> frozenset[bytes | None]:
    scene = again("reviewed")
    scene.do(scene.applying())
    return frozenset({None, scene.files[CONFIG]})


@frozen(kw_only=True)
class Meeting:
    """Who meets whom, where, and how it may end."""

    begin: Callable[[], Scene]
    acts: tuple[Act, ...]
    outcomes: frozenset[tuple[str | None, ...]]
    """By caller the code, or `None` for success: all of them come about."""
    intents: Callable[[], dict[str, str]] = dict
    """By name of caller the confirmation that is its own."""


MEETINGS = {
    "two first visitors": Meeting(
        begin=Scene,
        acts=(
            lambda scene: start_path(scene.house, scene.caller, Choice.SETUP_NEW, confirm=False),
            lambda scene: start_path(scene.house, scene.caller, Choice.SETUP_NEW, confirm=False),
        ),
        outcomes=frozenset({(None, None)}),
    ),
    "the same build twice": Meeting(
        begin=opened_twice,
        acts=(lambda scene: scene.fetching(), lambda scene: scene.fetching(intent_id=scene.spare_intent_id)),
        outcomes=frozenset({(None, None)}),
    ),
    "two ways to one build": Meeting(
        intents=own_intents,
        begin=opened_twice,
        acts=(
            lambda scene: scene.fetching(),
            lambda scene: scene.fetching(intent_id=scene.spare_intent_id, row=system_build.CONFIRM),
        ),
        outcomes=frozenset({(None, None), (None, BUSY), (BUSY, None)}),
    ),
    "one confirmation twice": Meeting(
        begin=opened_twice,
        acts=(lambda scene: scene.fetching(), lambda scene: scene.fetching(row=system_build.CONFIRM)),
        outcomes=frozenset(
            {(None, "setup_intent_consumed"), ("setup_intent_consumed", None), (None, BUSY), (BUSY, None)}
        ),
    ),
    "a build and an end": Meeting(
        begin=opened_twice,
        acts=(lambda scene: scene.fetching(), lambda scene: scene.abandoning()),
        outcomes=frozenset({(None, None), (None, BUSY), (ENDED, None)}),
    ),
    "apply and an end": Meeting(
        begin=at("reviewed"),
        acts=(lambda scene: scene.applying(), lambda scene: scene.abandoning()),
        outcomes=frozenset({(None, None), (None, BUSY), (ENDED, None)}),
    ),
    "write and an end": Meeting(
        begin=at("reviewed"),
        acts=(lambda scene: scene.writing(), lambda scene: scene.abandoning()),
        outcomes=frozenset({(None, None), (None, BUSY), (ENDED, None)}),
    ),
    "apply and write": Meeting(
        begin=at("reviewed"),
        acts=(lambda scene: scene.applying(), lambda scene: scene.writing()),
        outcomes=frozenset({(None, BUSY), (BUSY, None), (None, None), (None, "setup_preview_required")}),
    ),
    "prepare and an end": Meeting(
        begin=at("written"),
        acts=(lambda scene: scene.preparing(), lambda scene: scene.abandoning()),
        outcomes=frozenset({(None, None), (None, BUSY), (ENDED, None)}),
    ),
    "start and an end": Meeting(
        begin=at("prepared"),
        acts=(lambda scene: scene.starting(), lambda scene: scene.abandoning()),
        outcomes=frozenset({(None, BUSY), (ENDED, None), (None, ENDED)}),
    ),
    "apply and a newer preview": Meeting(
        begin=at("reviewed"),
        acts=(
            lambda scene: scene.applying(),
            lambda scene: preview(scene.house, scene.caller, scene.draft, scene.workflow_id),
        ),
        outcomes=frozenset({(None, None), ("setup_preview_mismatch", None)}),
    ),
    "going on and an end": Meeting(
        begin=interrupted,
        acts=(lambda scene: scene.resuming(), lambda scene: scene.abandoning()),
        outcomes=frozenset({(None, None), (BUSY, None), ("not_resumable", None), (None, "mutation_in_progress")}),
    ),
    "going on twice": Meeting(
        begin=interrupted,
        acts=(lambda scene: scene.resuming(), lambda scene: scene.resuming()),
        outcomes=frozenset({(None, None)}),
    ),
    "two ends": Meeting(
        begin=at("written"),
        acts=(lambda scene: scene.abandoning(), lambda scene: scene.abandoning()),
        outcomes=frozenset({(None, None), (None, BUSY), (BUSY, None)}),
    ),
}
