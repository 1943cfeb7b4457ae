"""The acts that walk a seam, and the dead scenes that a power cut leaves of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import evolve, frozen

from ems_admin import codec
from ems_admin.machines.kernel import Seam
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.seams import CANCEL, CONFIG_COMMIT, ENDING, SUCCESS, WRITE
from ems_admin.machines.upgrade.groundwork import sealed
from ems_admin.machines.upgrade.seams import ADMIN_UPDATE_BEGINNING
from ems_admin.workflows.alignment.calling_off import call_off
from tests.stores.records import UPGRADE
from tests.workflows.admin_update import newer
from tests.workflows.foreign import operation
from tests.workflows.maintenance.edits import LEGACY, edited, installed, saving, taking_over
from tests.workflows.places import again, prepared, secret_draft, written
from tests.workflows.scene import B0, B1, B2, B5, B6, CONFIG, CREDENTIALS, INTENT, PROCESSES, PowerCut, Scene


@frozen(kw_only=True)
class Walked:
    """An act that walks a seam, and which file each of its steps changes last."""

    seam: Seam
    before: Callable[[], Scene]
    act: Callable[[Scene], object]
    ends: tuple[tuple[str, str], ...]
    """Name of the step, and the durable change that ends it, in the order in which they land."""


def to_apply() -> Scene:
    scene = again("fetched")
    scene.site.world.files[CONFIG] = b'{"old": 1}'
    scene.site.world.files[CREDENTIALS] = b'{"format_version": 1, "credentials": {"old": {"username": "a"}}}'
    scene.review(secret_draft())
    return scene


def to_apply_first() -> Scene:
    scene = again("fetched")
    scene.review(secret_draft())
    return scene


def to_prepare() -> Scene:
    return written(draft=secret_draft())


def to_write() -> Scene:
    scene = again("fetched")
    scene.review(secret_draft())
    return scene


def to_abandon() -> Scene:
    return prepared(draft=secret_draft())


def save(scene: Scene) -> object:
    """Save an edit that brings a new secret along."""
    draft = edited(scene)
    draft["mqtt"]["brokers"]["home"]["password"] = "another-secret"
    return scene.do(saving(scene, draft))


def to_take_over() -> Scene:
    scene = Scene()
    scene.site.world.files[LEGACY] = b'{"schema_version": 1}'
    return scene


def to_succeed() -> Scene:
    scene = prepared()
    scene.do(scene.starting())
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    scene.put(B6, sealed(UPGRADE, operation_id=scene.transition.operation_id))
    return scene.restart()


FOUND_LINE, APPLIED_LINE = "-found.json", "-applied.json"
"""Of the history: what was there before, and what was written."""
APPLIED = (
    ("note_intent", INTENT),
    ("stage_credentials", CREDENTIALS),
    ("keep_replaced", FOUND_LINE),
    ("replace_config", CONFIG),
    ("keep_revision", APPLIED_LINE),
    ("consume_preview", B0),
    ("delete_intent", INTENT),
)
FIRST = tuple(end for end in APPLIED if end[0] != "keep_replaced")
DEPLOYED = tuple(end for end in FIRST if end[0] != "consume_preview")
ACTS = {
    "apply over a config": Walked(
        seam=CONFIG_COMMIT,
        before=to_apply,
        act=lambda scene: scene.do(scene.applying(overwrite=True)),
        ends=APPLIED,
    ),
    "apply the first config": Walked(
        seam=CONFIG_COMMIT, before=to_apply_first, act=lambda scene: scene.do(scene.applying()), ends=FIRST
    ),
    "prepare": Walked(
        seam=CONFIG_COMMIT, before=to_prepare, act=lambda scene: scene.job(scene.preparing()), ends=DEPLOYED
    ),
    "save an edit": Walked(seam=CONFIG_COMMIT, before=installed, act=save, ends=DEPLOYED),
    "take an old config over": Walked(
        seam=CONFIG_COMMIT,
        before=to_take_over,
        act=lambda scene: scene.do(taking_over(scene)),
        ends=tuple(end for end in DEPLOYED if end[0] != "stage_credentials"),
    ),
    "write": Walked(
        seam=WRITE,
        before=to_write,
        act=lambda scene: scene.do(scene.writing()),
        ends=(("write_config", B2), ("write_metadata", "credentials.json"), ("bind_artifacts", B0)),
    ),
    "abandon": Walked(
        seam=ENDING,
        before=to_abandon,
        act=lambda scene: scene.do(scene.abandoning()),
        ends=(
            ("cancel_operation", B1),
            ("end_workflow", B0),
            ("remove_artifacts", "deployment_marker"),
            ("note_verdict", B0),
        ),
    ),
    "cancel": Walked(
        seam=CANCEL,
        before=lambda: operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED),
        act=lambda scene: scene.do(call_off(scene.house, scene.caller, scene.transition.operation_id, confirm=True)),
        ends=(("cancel_operation", B1), ("clear_upgrade_context", B6)),
    ),
    "update the Admin alone": Walked(
        seam=ADMIN_UPDATE_BEGINNING,
        before=newer.planned,
        act=lambda scene: scene.do(newer.executing(scene)),
        ends=(("name_operation", newer.B7), ("begin_operation", B1)),
    ),
    "success": Walked(
        seam=SUCCESS,
        before=to_succeed,
        act=lambda scene: scene.do(scene.resuming()),
        ends=(
            ("note_known_good", B5),
            ("complete_operation", B1),
            ("complete_workflow", B0),
            ("clear_upgrade_context", B6),
        ),
    ),
}


def at_end(landed: list[str], walked: Walked) -> str | None:
    """Name the last step that has landed whole; `None` before the first one has."""
    done, ends = None, iter(walked.ends)
    step, ending = next(ends)
    for name in landed:
        if name.endswith(ending):
            done = step
            step, ending = next(ends, ("", "nothing more"))
    return done


def cut(walked: Walked) -> Iterator[tuple[int, str | None, Scene]]:
    """Cut the act after each of its durable steps in turn; give the number, the last whole step, and the dead scene."""
    number = 0
    while True:
        number += 1
        scene = walked.before()
        scene.durable.clear()
        scene.cut_after = number
        try:
            walked.act(scene)
        except PowerCut:
            yield number, at_end(scene.durable, walked), scene
        else:
            assert number > len(walked.ends), "there is nothing to cut"
            return
        finally:
            PROCESSES.append(scene)


def essence(files: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out what two ways to the same end may differ in: backups, and what a cleanup found gone already.

    That the history has found what was there is true at any end; what it says was applied counts.
    """
    found = {
        name: data for name, data in files.items() if not name.startswith("backups/") or name.endswith(APPLIED_LINE)
    }
    if B0 in found:
        setup = codec.decode(found[B0], GuidedSetup)
        found[B0] = codec.encode(evolve(setup, cleanup=evolve(setup.cleanup, artifacts=())))
    return found
