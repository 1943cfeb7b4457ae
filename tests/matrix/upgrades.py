"""Guided Upgrades under way: in memory by the workflow itself, in a real house placed by the machines."""

from __future__ import annotations

from ems_admin.machines.alignment.facts import (
    BEGIN,
    CLAIM_RESOURCE_VERIFICATION,
    EMS_STARTED,
    MARK_FAILED,
    REQUEST_EMS_OPERATION,
    RESOURCES_VERIFIED,
    START_EMS_OPERATION,
    AgedFacts,
    BeginFacts,
    FailureFacts,
    OperationFacts,
    ResourceClaimFacts,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import AcceptedBy, Mode, ResourceStrategy, Stage
from ems_admin.machines.upgrade.groundwork import sealed
from ems_admin.machines.values.fingerprints import request_fingerprint
from ems_admin.workflows import standing
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.selection import resolve
from tests.stores.records import UPGRADE
from tests.workflows.places import running
from tests.workflows.scene import B0, Scene
from tests.workflows.upgrade.upgrades import executing, yesterday


async def begin_upgrade(house: House, tag: str) -> None:
    """Settle B6, and begin at the stage at which the running Admin belongs to the build already."""
    selection = await resolve(house, tag)
    manifest = selection.manifest
    facts = BeginFacts(
        now=house.clock.now(),
        operation_id=house.ids.operation(),
        mode=Mode.GUIDED_UPGRADE,
        system_tag=tag,
        build_id=manifest.build_id,
        revision=manifest.revision,
        admin_image=None,
        admin_digest=selection.admin_digest,
        ems_image=None,
        ems_digest=selection.ems_digest,
        digest_kind=selection.digest_kind,
        boot_id=house.clock.boot_id(),
        boottime=house.clock.boottime(),
        admin_alignment_required=not selection.aligned,
        request_fingerprint=request_fingerprint(
            mode=Mode.GUIDED_UPGRADE, system_tag=tag, selection_fingerprint=selection.fingerprint
        ),
        compatibility_mode=manifest.compatibility_mode,
        resource_strategy=ResourceStrategy.RELEASE_ARCHIVE,
        orchestrator_admin=standing.running_admin(house),
        accepted_by=AcceptedBy(session="browser-1", token=None),
        acknowledged_development_tag=None,
    )
    async with house.records.upgrade.store.hold() as held:
        context = sealed(
            UPGRADE,
            operation_id=facts.operation_id,
            target_system_tag=tag,
            request_fingerprint=facts.request_fingerprint,
        )
        require(await held.commit(context))
    await house.records.transition.decide(BEGIN, facts)


async def bring(house: House, stage: Stage) -> None:
    """Bring the operation on, step by step, until it stands at `stage`."""
    ledger = house.records.transition
    transition = await ledger.current()
    assert transition is not None
    now, operation_id, expiry = house.clock.now(), transition.operation_id, standing.expiry(house, transition)
    step = OperationFacts(now=now, operation_id=operation_id)
    aged = AgedFacts(now=now, operation_id=operation_id, expiry=expiry)
    claim = ResourceClaimFacts(now=now, operation_id=operation_id, expiry=expiry, import_is_live=False)
    if transition.stage is Stage.ADMIN_ALIGNED:
        await ledger.decide(CLAIM_RESOURCE_VERIFICATION, claim)
        transition = await ledger.decide(RESOURCES_VERIFIED, step)
    if stage is not Stage.RESOURCES_VERIFIED:
        await ledger.decide(REQUEST_EMS_OPERATION, aged)
        await ledger.decide(START_EMS_OPERATION, step)
        await ledger.decide(EMS_STARTED, step)
    if stage is Stage.FAILED_RECOVERABLE:
        failure = FailureFacts(now=now, operation_id=operation_id, code=Code.HEALTHCHECK_FAILED, message=None)
        await ledger.decide(MARK_FAILED, failure)


def installed_long_ago() -> Scene:
    """The EMS runs, and the record of its Setup has gone since."""
    scene = running()
    gone = [name for name in scene.files if name == B0 or name.startswith("workflows/")]
    for name in gone:
        del scene.site.world.files[name]
    scene.workflow_id = scene.preview_id = None
    return scene


def to_upgrade() -> Scene:
    """Yesterday's build runs, and the record of its Setup has gone since."""
    scene = yesterday()
    for name in [name for name in scene.files if name == B0 or name.startswith("workflows/")]:
        del scene.site.world.files[name]
    scene.workflow_id = scene.preview_id = None
    return scene


def upgrading(stage: Stage) -> Scene:
    """A Guided Upgrade was begun, has come to a stage, and its process is gone."""
    scene = to_upgrade()
    scene.do(executing(scene))
    if stage is Stage.FAILED_RECOVERABLE:
        scene.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")
    while scene.stage is not stage:
        scene.site.tasks.running[0].step()
    return scene.restart()
