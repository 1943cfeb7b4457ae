"""A plan is the same one exactly when what it would do is the same (`site.md` 9)."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.upgrade.plan import require_same_plan
from tests.memory.house import TAG
from tests.workflows.scene import B5, CONFIG, Scene
from tests.workflows.upgrade.planned import (
    ALL,
    older,
    planned,
    seen,
    without_a_key,
)


def another_live_config(scene: Scene) -> None:
    scene.site.world.files[CONFIG] += b" "


def another_migration(scene: Scene) -> None:
    without_a_key(scene)


def another_way_back(scene: Scene) -> None:
    scene.put(B5, evolve(scene.record(B5, KnownGood), ems_digest="9" * 64))


CHANGES = (another_live_config, another_migration, another_way_back)


@pytest.mark.parametrize("change", CHANGES)
def test_another_plan_is_not_carried_out(change: Callable[[Scene], None]) -> None:
    scene = older()
    agreed = planned(scene)
    require_same_plan(planned(scene), agreed.fingerprint)
    change(scene)
    with pytest.raises(RefusalError, match=Code.UPGRADE_PLAN_STALE):
        require_same_plan(planned(scene), agreed.fingerprint)


@pytest.mark.parametrize("name", [field.name for field in attrs.fields(UpgradeOptions)])
def test_each_option_makes_it_another_plan(name: str) -> None:
    scene = older()
    otherwise = evolve(ALL, **{name: not getattr(ALL, name)})
    assert planned(scene, otherwise).fingerprint != planned(scene).fingerprint


def the_ems_stopped(scene: Scene) -> None:
    del scene.site.world.files["/running-ems"]


def the_engine_fell_silent(scene: Scene) -> None:
    scene.engine.reachable = False


def the_build_was_fetched_anew(scene: Scene) -> None:
    del scene.site.world.files[f"releases/{TAG}/manifest.json"]


def time_passed(scene: Scene) -> None:
    scene.site.clock.pass_time(scene.house.stability)


@pytest.mark.parametrize("change", [the_ems_stopped, the_engine_fell_silent, the_build_was_fetched_anew, time_passed])
def test_what_is_only_shown_does_not_make_it_another_plan(change: Callable[[Scene], None]) -> None:
    scene = older()
    agreed, fingerprint = planned(scene), seen(scene)
    change(scene)
    require_same_plan(planned(scene, fingerprint=fingerprint), agreed.fingerprint)
