"""The workflows of an operation that takes another Admin, those that end one, and those of the arbiter."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.replacement.seams import REPLACEMENT, WALK, WALK_BACK
from ems_admin.machines.seams import CANCEL, CONFIG_COMMIT, ENDING, RELEASE, SUCCESS
from ems_admin.machines.upgrade.seams import ADMIN_UPDATE_BEGINNING
from tests.crashes.house import FileScene
from tests.crashes.stories import UPDATER, Story, act
from tests.faults.seam_acts import ACTS as SEAMS
from tests.faults.seam_acts import cut
from tests.memory.host import Container, Kind
from tests.memory.processes import Processes
from tests.stores.records import CONFIG_COMMIT as OPEN_COMMIT
from tests.stores.records import DISPATCH, OPERATION
from tests.workflows.admin_update import newer
from tests.workflows.foreign import NEWER, failed_upgrade, operation
from tests.workflows.lifecycle.classes import Stored, stand
from tests.workflows.places import written
from tests.workflows.replacement.moments import walked
from tests.workflows.replacement.old_admin import chosen, failed, handed_over, host, pending
from tests.workflows.scene import CONFIG, INTENT, Scene

UPGRADING: Final = Stored("absent", "guided_upgrade at resources_verified", "of the operation")


def not_whole() -> Scene:
    scene = handed_over()
    host(scene).successor_is_whole = False
    return scene


def upgraded() -> Scene:
    scene = failed_upgrade()
    host(scene).containers["o"].image = host(scene).pin = NEWER["admin_digest"]
    return scene


def came_alone() -> Scene:
    """An update of the Admin alone was walked to its end."""
    scene = newer.handed_over()
    (updater,) = host(scene).updaters()
    Processes(scene.site.world, scene.site.clock).run(updater.id)
    return scene


def proved_itself() -> Scene:
    """The newer Admin has fetched its resources, and the EMS is still the old one."""
    scene = newer.taken_over(newer.handed_over())
    scene.do(newer.resuming(scene))
    return scene


def update_alone(scene: FileScene) -> None:
    """Carry the plan out, and let its job come to its end."""
    scene.do(newer.executing(scene))
    scene.finish()


def unstarted() -> Scene:
    scene = stand(Stored("absent", "unreadable", "absent", "launched"))
    name = DISPATCH.attempts[0].container
    host(scene).containers[name] = Container(
        id=name, name=name, kind=Kind.UPDATER, image="", operation_id=OPERATION, attempt=1, predecessor="o"
    )
    return scene


def unprovable() -> Scene:
    """Somebody has edited the config while a commit of it was open."""
    scene = written()
    scene.site.world.files[CONFIG] = b'{"somebody": "else"}'
    scene.put(INTENT, OPEN_COMMIT)
    return scene


def stale() -> Scene:
    return stand(Stored("unreadable", "unreadable", "unreadable", "of another"))


def dead(name: str, last: str) -> Scene:
    """Give what a cut of a seam has left, right behind one of its steps."""
    return next(scene for _, step, scene in cut(SEAMS[name]) if step == last)


OPERATIONS: Final = (
    Story(title="Hand the Admin over", seams=(REPLACEMENT,), before=chosen, act=act("update_admin")),
    Story(
        title="Resume an update of the Admin that nobody has prepared",
        seams=(REPLACEMENT,),
        before=pending,
        act=act("resume"),
    ),
    Story(title="Retry an update of the Admin", seams=(REPLACEMENT,), before=failed, act=act("resume")),
    Story(title="Replace the Admin", seams=(WALK,), before=handed_over, act=UPDATER, updater=True),
    Story(
        title="Replace the Admin by one that is not whole",
        seams=(WALK, WALK_BACK),
        before=not_whole,
        act=UPDATER,
        updater=True,
    ),
    Story(title="Resume after the Admin was replaced", before=walked, act=act("resume")),
    Story(title="Plan an update of the Admin alone", before=newer.installed, act=lambda s: s.do(newer.planning(s))),
    Story(
        title="Update the Admin alone",
        seams=(ADMIN_UPDATE_BEGINNING, REPLACEMENT),
        before=newer.planned,
        act=update_alone,
    ),
    Story(title="Resume after the Admin alone was replaced", before=came_alone, act=act("resume")),
    Story(title="Check the EMS that stays", seams=(SUCCESS,), before=proved_itself, act=act("resume")),
    Story(
        title="Cancel an upgrade",
        seams=(CANCEL,),
        before=lambda: operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED),
        act=act("cancel"),
    ),
    Story(
        title="Return to the build that runs", seams=(REPLACEMENT,), before=upgraded, act=act("return_to_running_build")
    ),
    Story(title="Switch: discard a Setup", seams=(ENDING,), before=written, act=act("switch_to_guided_upgrade")),
    Story(
        title="Switch: cancel an upgrade and begin a Setup",
        seams=(CANCEL,),
        before=lambda: stand(UPGRADING),
        act=act("switch_to_guided_setup"),
    ),
    Story(title="Switch: begin a Setup", before=Scene, act=act("switch_to_guided_setup")),
    Story(title="Switch: end what is in progress", seams=(ENDING,), before=written, act=act("switch_to_none")),
    Story(
        title="Recover: cancel, clean up and clear, in a conflict",
        seams=(CANCEL, ENDING),
        before=lambda: stand(Stored("active", "guided_upgrade at resources_verified", "of the operation")),
        act=act("recover_safe"),
    ),
    Story(title="Recover: discard an updater that never started", before=unstarted, act=act("recover_safe")),
    Story(
        title="Recover: settle a config commit that nobody can prove",
        seams=(ENDING, CONFIG_COMMIT),
        before=unprovable,
        act=act("recover_safe"),
    ),
    Story(title="Set stale records aside", seams=(RELEASE,), before=stale, act=act("recover_release")),
    Story(
        title="Start: go on with a cleanup",
        seams=(ENDING,),
        before=lambda: dead("abandon", "end_workflow"),
        act=lambda s: s.start(),
    ),
    Story(
        title="Start: take a config commit back",
        seams=(CONFIG_COMMIT,),
        before=lambda: dead("apply over a config", "stage_credentials"),
        act=lambda s: s.start(),
    ),
    Story(
        title="Start: go forward with a config commit",
        seams=(CONFIG_COMMIT,),
        before=lambda: dead("apply over a config", "replace_config"),
        act=lambda s: s.start(),
    ),
    Story(
        title="Start: complete a success",
        seams=(SUCCESS,),
        before=lambda: dead("success", "complete_operation"),
        act=lambda s: s.start(),
    ),
)
