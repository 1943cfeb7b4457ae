"""A site whose Admin and EMS are of one build, and a newer build on offer: its Admin may come without its EMS."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final

from attrs import evolve, field, frozen

from ems_admin import codec
from ems_admin.machines.records.build import CatalogueEntry, Manifest, OwnIdentity
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood, SelectedRelease
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.records.upgrade import PendingAdminUpdate
from ems_admin.workflows.admin_update.executing import execute_admin_update
from ems_admin.workflows.admin_update.planning import AdminUpdatePlanned, plan_admin_update
from ems_admin.workflows.admin_update.status import resume_admin_update
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.builds import BuildFailure, Examined, Resources
from ems_admin.workflows.ports.engine import Report
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.startup import start_up
from tests.memory.host import Host
from tests.memory.house import OWN, TAG
from tests.memory.outside import RUNNING, MemoryBuilds
from tests.memory.processes import Processes
from tests.memory.world import Call, Step
from tests.workflows.places import again
from tests.workflows.scene import B3, B4, B5, Scene

OLD_TAG: Final = "v0.9.0"
OLD: Final = evolve(OWN, system_tag=OLD_TAG, build_id="0.9.0", revision="9" * 40, digest="9" * 64)
"""The Admin that runs before the update."""
OLD_EMS: Final = "8" * 64
"""The EMS that runs all the time."""
B7: Final = "state/pending-admin-update.json"


@frozen(kw_only=True)
class TwoBuilds(MemoryBuilds):
    """A source with the build that is installed, and the newer one."""

    older: Resources = field(init=False)

    @older.default
    def _older(self) -> Resources:
        manifest, programs = self.build.manifest, self.build.manifest.programs
        trees = {
            "admin": evolve(programs["admin"], sha256=OLD.digest or ""),
            "ems": evolve(programs["ems"], sha256=OLD_EMS),
        }
        named = evolve(manifest, system_tag=OLD_TAG, build_id=OLD.build_id, revision=OLD.revision, programs=trees)
        return evolve(self.build, manifest=named)

    def of(self, tag: str) -> MemoryBuilds:
        """Give the source of one of the two; the newer one says of any other tag that it knows none."""
        named = self.older if tag == OLD_TAG else self.build
        manifest = named.manifest
        entry = evolve(self.entry, tag=manifest.system_tag, build_id=manifest.build_id, revision=manifest.revision)
        return MemoryBuilds(world=self.world, entry=entry, build=named, identity=self.identity)

    async def offered(self) -> tuple[CatalogueEntry, ...] | BuildFailure:
        await Step(Call("builds offered"))
        return tuple(self.of(tag).entry for tag in (TAG, OLD_TAG))

    async def resolve(self, tag: str) -> Manifest | BuildFailure:
        return await self.of(tag).resolve(tag)

    async def examine(self, tag: str) -> Examined | BuildFailure:
        return await self.of(tag).examine(tag)

    async def import_build(self, tag: str, report: Report) -> Manifest | BuildFailure:
        return await self.of(tag).import_build(tag, report)

    async def resources(self, tag: str) -> Resources | BuildFailure:
        return await self.of(tag).resources(tag)


def of(scene: Scene, own: OwnIdentity | None) -> Scene:
    """Let this Admin be the one of the scene, before both builds."""
    there = scene.house.builds
    assert isinstance(there, MemoryBuilds)
    both = TwoBuilds(world=there.world, entry=there.entry, build=there.build, identity=there.identity)
    scene.house = evolve(scene.house, identity=KnownIdentity(own), builds=both)
    return scene


def installed() -> Scene:
    """The older build is installed and runs, Admin and EMS."""
    scene = of(again("running"), OLD)
    world = scene.site.world
    good = scene.record(B5, KnownGood)
    scene.put(
        B5,
        evolve(
            good,
            system_tag=OLD_TAG,
            build_id=OLD.build_id,
            revision=OLD.revision,
            admin_digest=OLD.digest or "",
            admin_build_id=OLD.build_id,
            admin_revision=OLD.revision,
            ems_digest=OLD_EMS,
        ),
    )
    marker = scene.record(B3, DeploymentMarker)
    images = tuple(evolve(image, digest=OLD_EMS) for image in marker.images)
    scene.put(B3, evolve(marker, release=OLD_TAG, images=images))
    scene.put(B4, SelectedRelease(tag=OLD_TAG, source="catalogue"))
    world.files[RUNNING] = OLD_EMS.encode()
    world.files[f"releases/{OLD_TAG}/manifest.json"] = codec.encode(scene.house.builds.older.manifest)  # type: ignore[attr-defined]
    del world.files[f"releases/{TAG}/manifest.json"]
    admin = world.host.containers["o"]
    admin.image = world.host.pin = OLD.digest or ""
    return scene


def planning(scene: Scene, tag: str = TAG) -> Coroutine[Any, Any, AdminUpdatePlanned]:
    return plan_admin_update(scene.house, scene.caller, tag)


def planned() -> Scene:
    """The update is planned."""
    scene = installed()
    scene.do(planning(scene))
    scene.durable.clear()
    return scene


def plan_of(scene: Scene) -> PendingAdminUpdate:
    return scene.record(B7, PendingAdminUpdate)


def executing(scene: Scene, *, confirm: bool = True, **changes: Any) -> Coroutine[Any, Any, Job]:
    plan_id = changes.get("plan_id", ...)
    return execute_admin_update(
        scene.house, scene.caller, plan_of(scene).plan_id if plan_id is ... else plan_id, confirm=confirm
    )


def handed_over() -> Scene:
    """The updater was launched, and has not moved yet."""
    scene = planned()
    assert scene.job(executing(scene)).error is None
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING
    return scene


def restarted(scene: Scene, own: OwnIdentity) -> Scene:
    """The process is gone, and this Admin starts."""
    after = of(scene.restart(start_up=False), own)
    after.house.startup.passed = False
    after.do(start_up(after.house))
    return after


def taken_over(scene: Scene) -> Scene:
    """The updater walks to its end, and the newer Admin serves."""
    host = scene.site.world.host
    (updater,) = host.updaters()
    Processes(scene.site.world, scene.site.clock).run(updater.id)
    after = restarted(scene, OWN)
    (admin,) = host_of(after).admins_that_run()
    after.house.launcher.me = admin.id  # type: ignore[attr-defined]  # its own container
    return after


def host_of(scene: Scene) -> Host:
    return scene.site.world.host


def updated() -> Scene:
    """The update has ended well."""
    scene = taken_over(handed_over())
    for _ in range(2):
        scene.do(resuming(scene))
    assert scene.stage is Stage.COMPLETED
    return scene


def resuming(scene: Scene, **changes: Any) -> Coroutine[Any, Any, Any]:
    operation_id = changes.get("operation_id", ...)
    return resume_admin_update(
        scene.house, scene.caller, scene.transition.operation_id if operation_id is ... else operation_id
    )
