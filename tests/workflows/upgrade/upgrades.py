"""A site whose EMS is of yesterday's build, and the upgrade of it to the build that is offered."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, Final

from attrs import evolve

from ems_admin import codec
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood
from ems_admin.machines.records.upgrade import UpgradeContext, UpgradeOptions
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.upgrade.executing import UpgradeRequest, execute
from ems_admin.workflows.upgrade.plan import make_plan
from ems_admin.workflows.upgrade.resuming import resume_upgrade
from ems_admin.workflows.upgrade.validate import validate_upgrade
from tests.memory.house import EMS_DIGEST, TAG, manifest
from tests.memory.outside import RUNNING
from tests.memory.processes import Processes
from tests.workflows.places import again
from tests.workflows.replacement.old_admin import OLD, as_new, as_old, host, updaters
from tests.workflows.scene import B3, B5, B6, CONFIG, Scene

OLD_TAG: Final = "v0.9.0"
OLD_EMS: Final = "0" * 64
OLD_MANIFEST: Final = evolve(
    manifest(),
    system_tag=OLD_TAG,
    build_id="0.9.0",
    revision=OLD.revision,
    programs={
        name: evolve(program, sha256={"admin": OLD.digest or "", "ems": OLD_EMS}[name])
        for name, program in manifest().programs.items()
    },
)
ALL: Final = UpgradeOptions(
    backup=True,
    config_check=True,
    config_add_keys=True,
    pull_image=True,
    recreate=True,
    diagnostics=True,
    auto_rollback=False,
)
SAFE: Final = evolve(ALL, auto_rollback=True)
Change = Callable[[Scene], None]


def nothing(_scene: Scene) -> None:
    """Leave the site as it is."""


def with_a_broker_inside(scene: Scene) -> None:
    """Let a device bring its own broker along, with its password: that is to be migrated."""
    config = json.loads(scene.files[CONFIG])
    mqtt = {"host": "mqtt.lan", "port": 1883, "tls": False, "username": "ems", "password": "hush", "topic": "meter"}
    attic = {**config["devices"][0], "name": "Attic", "serial_number": "attic-1", "type": "mqtt", "mqtt": mqtt}
    attic.pop("ip", None)
    scene.site.world.files[CONFIG] = json.dumps({**config, "devices": [*config["devices"], attic]}).encode()


def without_a_key(scene: Scene) -> None:
    """Let the config lack what the new build knows."""
    config = json.loads(scene.files[CONFIG])
    config["features"].pop("winter_mode")
    scene.site.world.files[CONFIG] = json.dumps(config).encode()


def yesterday(change: Change = nothing, *, admin: bool = False) -> Scene:
    """Yesterday's build runs and is known to be good; with `admin` it is also the Admin that answers."""
    scene = again("running")
    good = evolve(
        scene.record(B5, KnownGood),
        system_tag=OLD_TAG,
        build_id="0.9.0",
        revision=OLD.revision,
        ems_digest=OLD_EMS,
        admin_digest=OLD.digest or "",
        admin_build_id="0.9.0",
        admin_revision=OLD.revision,
    )
    scene.put(B5, good)
    images = tuple(evolve(image, digest=OLD_EMS) for image in scene.record(B3, DeploymentMarker).images)
    scene.put(B3, evolve(scene.record(B3, DeploymentMarker), release=OLD_TAG, images=images))
    files = scene.site.world.files
    del files[f"releases/{TAG}/manifest.json"]
    files[f"releases/{OLD_TAG}/manifest.json"] = codec.encode(OLD_MANIFEST)
    files[RUNNING] = OLD_EMS.encode()
    change(scene)
    if admin:
        as_old(scene)
        own = host(scene).containers["o"]
        own.image = host(scene).pin = OLD.digest or ""
    return scene


async def agreeing(scene: Scene, options: UpgradeOptions = ALL) -> UpgradeRequest:
    """Look at the build, plan the upgrade, review what it would do to the config, and agree."""
    verified = (await validate_upgrade(scene.house, TAG)).validation.action_state.selection_fingerprint
    plan = await make_plan(scene.house, TAG, options, verified)
    return UpgradeRequest(
        tag=TAG,
        options=options,
        selection_fingerprint=verified,
        migration_revision=plan.migration.revision,
        plan_fingerprint=plan.fingerprint,
        confirm=True,
    )


def request(scene: Scene, options: UpgradeOptions = ALL, **changes: Any) -> UpgradeRequest:
    """Agree to something else than was planned."""
    return evolve(scene.do(agreeing(scene, options)), **changes)


def executing(scene: Scene, options: UpgradeOptions = ALL, **changes: Any) -> Coroutine[Any, Any, Job]:
    """Ask for it."""
    return execute(scene.house, scene.caller, request(scene, options, **changes))


def upgraded(scene: Scene, options: UpgradeOptions = ALL) -> Job:
    """Ask for it, and let the job run to its end."""
    return scene.job(executing(scene, options))


def resuming(scene: Scene, operation_id: str | None = None) -> Coroutine[Any, Any, AlignmentStatus | Job]:
    """Go on with it."""
    return resume_upgrade(scene.house, scene.caller, operation_id or scene.transition.operation_id)


def resumed(scene: Scene) -> Job:
    """Go on, and let the job run to its end."""
    job = scene.do(resuming(scene))
    assert isinstance(job, Job), "nobody else is waited for"
    scene.finish()
    return job


def replaced(scene: Scene) -> Scene:
    """Let the updater replace the Admin, and give the one that serves then."""
    (updater,) = [found for found in updaters(scene) if found.runs]
    Processes(scene.site.world, scene.site.clock).run(updater.id)
    after = as_new(scene)
    after.house.launcher.me = host(after).admins_that_run()[0].id  # type: ignore[attr-defined]  # its own container
    return after


def context(scene: Scene) -> UpgradeContext:
    return scene.record(B6, UpgradeContext)


def good(scene: Scene) -> KnownGood:
    return scene.record(B5, KnownGood)


def runs(scene: Scene) -> str | None:
    """Name the EMS that runs."""
    digest = scene.files.get(RUNNING)
    return {OLD_EMS: "old", EMS_DIGEST: "new"}[digest.decode()] if digest else None


def backups(scene: Scene) -> list[str]:
    return [name for name in scene.files if name.startswith("backups/sets/")]
