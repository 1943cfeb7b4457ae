"""The installed EMS at a glance: what is unknown is shown as unknown (http.md 5.3)."""

from __future__ import annotations

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.deployment import DeploymentState
from ems_admin.workflows.maintenance.containers import control
from ems_admin.workflows.maintenance.overview import Overview, overview
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.services import Health
from tests.memory.house import OWN, TAG
from tests.memory.outside import MemoryBuilds
from tests.workflows.places import opened, running
from tests.workflows.scene import Scene


class Silent(MemoryBuilds):
    """A source that nobody reaches."""

    async def offered(self) -> BuildFailure:
        return BuildFailure(code=Code.RELEASE_SOURCE_UNREACHABLE)


def seen(scene: Scene) -> Overview:
    return scene.do(overview(scene.house))


def test_an_installed_ems_is_shown_with_the_build_that_was_proven_and_the_admin_that_serves() -> None:
    found = seen(running())
    assert found.installed is not None
    assert (found.installed.system_tag, found.installed.build_id) == (TAG, OWN.build_id)
    assert found.installed.since is not None
    assert found.admin is not None
    assert (found.admin.system_tag, found.admin.revision) == (TAG, OWN.revision)
    assert (found.state, found.health, found.stopped) == (DeploymentState.RUNNING, Health.HEALTHY, ())
    assert found.next_update is None
    assert found.update_unknown is None


def test_what_a_person_has_stopped_is_named() -> None:
    scene = running()
    scene.job(control(scene.house, scene.caller, "ems", ContainerAction.STOP, confirm=True))
    found = seen(scene)
    assert (found.state, found.stopped) == (DeploymentState.PREPARED, ("ems",))
    assert (found.health, found.running_since) == (Health.UNKNOWN, None)


def test_nothing_that_cannot_be_asked_refuses_the_page() -> None:
    """D1."""
    scene = opened()
    scene.engine.reachable = False
    builds = scene.house.builds
    assert isinstance(builds, MemoryBuilds)
    silent = Silent(world=builds.world, entry=builds.entry, build=builds.build, identity=builds.identity)
    scene.house = evolve(scene.house, builds=silent)
    found = seen(scene)
    assert (found.health, found.stopped, found.next_update) == (Health.UNKNOWN, (), None)
    assert found.update_unknown is not None
    assert found.update_unknown.code is Code.RELEASE_SOURCE_UNREACHABLE
