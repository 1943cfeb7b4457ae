"""The workflows of a Guided Setup, from its door to its end, and those of the config."""

from __future__ import annotations

from functools import partial
from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.seams import CONFIG_COMMIT, ENDING, SUCCESS, WRITE
from ems_admin.workflows.access import FirstPassword, SetupCode, first_password
from ems_admin.workflows.alignment.resume import verify
from ems_admin.workflows.ports.engine import EngineFailure
from tests.crashes.ground import Ground
from tests.crashes.house import FileScene
from tests.crashes.stories import Story, act
from tests.faults.seam_acts import to_abandon, to_apply, to_apply_first, to_prepare, to_succeed, to_write
from tests.memory.files import RUNTIME
from tests.workflows.maintenance.edits import LEGACY, edited, installed, saving, taking_over
from tests.workflows.places import again, begun, failed, prepared
from tests.workflows.scene import CONFIG, CREDENTIALS, Scene
from tests.workflows.test_disown import in_review, stuck
from tests.workflows.test_resume import exact, interrupted

TOLD: Final = b'{"format_version": 1, "overrides": {}, "updated_at": "2026-01-01T12:00:00Z"}'
OLD_LAYOUT: Final = b'\xef\xbb\xbf{"schema_version": 1}\n'


def unhealthy(scene: FileScene) -> None:
    scene.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")
    act("deployment_start")(scene)


def verifying(scene: FileScene) -> None:
    scene.do(verify(scene.house, scene.caller, scene.transition.operation_id))
    scene.finish()


def with_wrong_modes(ground: Ground) -> None:
    ground.path(CONFIG).parent.chmod(0o700)
    ground.path(CONFIG).chmod(0o600)
    ground.path(CREDENTIALS).write_bytes(b"{}")
    ground.path(CREDENTIALS).chmod(0o640)


def edited_while_it_runs() -> Scene:
    scene = installed()
    scene.site.world.files[RUNTIME] = TOLD
    return scene


def legacy(place: str) -> Scene:
    scene = again(place)
    scene.site.world.files[LEGACY] = OLD_LAYOUT if place == "nowhere" else b'{"schema_version": 1, "features": {}}'
    return scene


def set_password(scene: FileScene) -> None:
    chosen = FirstPassword(password="a-password", confirm_password="a-password", code=None, at_the_machine=True)
    scene.do(first_password(scene.house, SetupCode(code=None), chosen))


def reset_password(scene: FileScene) -> None:
    scene.do(scene.file_site.passwords.reset(scene.site.clock.now()))


def with_a_password() -> Scene:
    scene = again("nowhere")
    scene.site.world.files["/config/admin-auth.json"] = PASSWORD
    return scene


PASSWORD: Final = (
    b'{"created_at": "2026-01-01T12:00:00Z", "format_version": 1, '
    b'"password_hash": "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$Zm9v"}'
)

SETUPS: Final = (
    Story(title="Open a Setup", before=Scene, act=act("start_setup")),
    Story(title="Choose a build", before=partial(again, "opened"), act=act("prepare_build")),
    Story(title="Resume an operation whose build is not here yet", before=begun, act=act("resume")),
    Story(title="Verify the resources again", before=begun, act=verifying),
    Story(title="Review a draft", before=partial(again, "fetched"), act=act("preview_config")),
    Story(title="Write the generated config (W2)", seams=(WRITE,), before=to_write, act=act("write_config")),
    Story(title="Apply the first config (W1)", seams=(CONFIG_COMMIT,), before=to_apply_first, act=act("apply_config")),
    Story(
        title="Apply a config over another one (W1)", seams=(CONFIG_COMMIT,), before=to_apply, act=act("apply_config")
    ),
    Story(
        title="Prepare the deployment (W3)", seams=(CONFIG_COMMIT,), before=to_prepare, act=act("deployment_prepare")
    ),
    Story(title="Repair permissions", before=prepared, act=act("repair_permissions"), laid=with_wrong_modes),
    Story(title="Start the EMS", seams=(SUCCESS,), before=prepared, act=act("deployment_start")),
    Story(title="Start an EMS that is not healthy", before=prepared, act=unhealthy),
    Story(
        title="Resume a start that came through",
        seams=(SUCCESS,),
        before=lambda: interrupted(runs=exact()),
        act=act("resume"),
    ),
    Story(
        title="Resume a start that did not come through",
        before=lambda: interrupted(runs=None),
        act=act("resume"),
        expects=Code.EMS_OPERATION_INTERRUPTED,
    ),
    Story(title="Resume a health check", seams=(SUCCESS,), before=to_succeed, act=act("resume")),
    Story(title="Resume what has failed", before=failed, act=act("resume")),
    Story(title="Abandon a Setup", seams=(ENDING,), before=to_abandon, act=act("abandon")),
    Story(title="Try an owed cleanup again", seams=(ENDING,), before=lambda: stuck(tries=1), act=act("abandon")),
    Story(title="Leave files where they are", before=in_review, act=act("leave_files")),
    Story(title="Begin again with another build", seams=(ENDING,), before=to_abandon, act=act("supersede")),
    Story(
        title="Edit the config of a running EMS (W4)",
        seams=(CONFIG_COMMIT,),
        before=edited_while_it_runs,
        act=lambda scene: scene.do(saving(scene, edited(scene))),
    ),
    Story(
        title="Take over the config of the old layout (W8)",
        seams=(CONFIG_COMMIT,),
        before=partial(legacy, "nowhere"),
        act=lambda scene: scene.do(taking_over(scene)),
    ),
    Story(title="Set the first password", before=Scene, act=set_password),
    Story(title="Reset the password", before=with_a_password, act=reset_password),
)
