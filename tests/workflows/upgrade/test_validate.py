"""A build is looked at as an upgrade of what is installed (http.md 5.4; F52)."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.values.tags import Direction
from ems_admin.workflows.setup.releases import Flow, releases
from ems_admin.workflows.upgrade.validate import validate_upgrade
from tests.memory.house import OWN, TAG
from tests.workflows.places import running
from tests.workflows.scene import B5, Scene


def upgradable(installed: str) -> Scene:
    """Have another build than the offered one installed."""
    scene = running()
    scene.put(B5, evolve(scene.record(B5, KnownGood), system_tag=installed))
    return scene


def test_a_newer_build_is_shown_with_the_admin_that_runs() -> None:
    scene = upgradable("v0.9.0")
    before = scene.files
    found = scene.do(validate_upgrade(scene.house, TAG))
    assert found.upgrade_direction is Direction.NEWER
    assert found.current_admin is not None
    assert found.current_admin.build_id == OWN.build_id
    assert found.validation.action_state.continue_allowed
    assert scene.files == before


@pytest.mark.parametrize(
    ("installed", "direction"),
    [(TAG, Direction.SAME), ("v1.0.1", Direction.OLDER), ("home-made", Direction.UNCOMPARABLE)],
)
def test_only_a_strictly_newer_build_is_an_upgrade(installed: str, direction: Direction) -> None:
    scene = upgradable(installed)
    refusal = scene.refused(validate_upgrade(scene.house, TAG))
    assert (refusal.code, refusal.detail) == (Code.UPGRADE_NOT_FORWARD, direction)


def test_what_is_wrong_with_the_build_is_said_before_where_it_lies() -> None:
    scene = upgradable("v0.9.0")
    assert scene.refused(validate_upgrade(scene.house, "v9.9.9")).code == Code.SYSTEM_BUILD_UNKNOWN


def test_the_list_and_the_check_agree_about_what_is_newer() -> None:
    """In the midst of an upgrade the Admin is of the next build already; what counts is the EMS."""
    scene = upgradable("v0.9.0")
    assert [offer.selectable for offer in scene.do(releases(scene.house, Flow.UPGRADE))] == [True]
    scene = upgradable(TAG)
    assert [offer.reason for offer in scene.do(releases(scene.house, Flow.UPGRADE))] == [Code.UPGRADE_NOT_FORWARD]
