"""Operations that no Setup owns, on a site whose Setup has come to its end."""

from __future__ import annotations

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.upgrade.groundwork import sealed
from ems_admin.workflows.ports.identity import KnownIdentity
from tests.memory.house import OWN
from tests.stores.records import UPGRADE
from tests.workflows.places import again
from tests.workflows.scene import B1, B6, Scene

NEWER = {"system_tag": "v2.0.0", "build_id": "2.0.0", "admin_digest": "2" * 64, "ems_digest": "3" * 64}
"""Another build than the one that runs."""


def operation(mode: Mode, stage: Stage, *, context_of: str | None = None, **changes: object) -> Scene:
    """An operation of `mode` at `stage`, with the context of its upgrade; the EMS of the Setup runs."""
    scene = again("running")
    began = scene.site.clock.now()
    nothing = dict.fromkeys(("failed_stage", "resume_stage", "error_code", "error_message"))
    scene.put(
        B1,
        evolve(
            scene.transition,
            operation_id=scene.site.ids.operation(),
            mode=mode,
            stage=stage,
            created_at=began,
            updated_at=began,
            created_boottime=scene.site.clock.boottime(),
            **nothing | NEWER | changes,  # type: ignore[arg-type]  # fields by name
        ),
    )
    scene.put(
        B6,
        sealed(
            UPGRADE,
            operation_id=context_of or scene.transition.operation_id,
            target_system_tag=scene.transition.system_tag,
            request_fingerprint=scene.transition.request_fingerprint,
        ),
    )
    return scene


def failed_upgrade(mode: Mode = Mode.GUIDED_UPGRADE) -> Scene:
    """An upgrade that brought its own Admin, and then failed before it touched the EMS."""
    scene = operation(
        mode,
        Stage.FAILED_RECOVERABLE,
        failed_stage=Stage.ADMIN_ALIGNED,
        resume_stage=Stage.ADMIN_ALIGNED,
        error_code=Code.SYSTEM_BUILD_RESOURCES_INVALID,
    )
    scene.house = evolve(
        scene.house,
        identity=KnownIdentity(evolve(OWN, system_tag="v2.0.0", build_id="2.0.0", revision="f" * 40, digest="2" * 64)),
    )
    return scene
