"""A wall clock that is stepped, and one that cannot be right (`faults.md` F16, F18, D6)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from ems_admin.http.sessions import Sessions
from ems_admin.machines.codes import Code
from ems_admin.stores.host import RandomIds
from ems_admin.workflows.views.console import console
from tests.http.test_access import VISITOR
from tests.memory.running import MemoryClock
from tests.workflows.lifecycle.test_recovery import preview
from tests.workflows.places import opened, prepared
from tests.workflows.scene import Scene

LEAPS = pytest.mark.parametrize("leap", [timedelta(days=400), timedelta(hours=2), -timedelta(days=200)])


@LEAPS
def test_a_leap_of_the_wall_clock_ends_no_session(leap: timedelta) -> None:
    """F16, D6: lifetimes in memory go by the boottime clock alone."""
    clock = MemoryClock()
    sessions = Sessions(clock=clock, ids=RandomIds(), kept={})
    session = sessions.open(VISITOR)
    clock.wall += leap
    assert sessions.find(session.id) is session


@LEAPS
def test_a_leap_of_the_wall_clock_ends_no_confirmation(leap: timedelta) -> None:
    """F16, D6."""
    scene = opened()
    scene.site.clock.wall += leap
    assert scene.fetch().error is None


@LEAPS
def test_a_leap_of_the_wall_clock_opens_no_destructive_way(leap: timedelta) -> None:
    """F16: nothing expires, and what recovery offers stays what it was."""
    scene = prepared()
    before = preview(scene)
    scene.site.clock.wall += leap
    after = preview(scene)
    assert (after.actions, after.files, after.view.fingerprint) == (
        before.actions,
        before.files,
        before.view.fingerprint,
    )
    assert scene.job(scene.starting()).error is None


def warned(scene: Scene, now: datetime) -> bool:
    scene.site.clock.wall = now
    return Code.CLOCK_NOT_PLAUSIBLE in {warning.code for warning in scene.do(console(scene.house)).warnings}


def test_the_console_warns_of_a_clock_before_the_build_date() -> None:
    """F18, judged at each use."""
    scene = opened()
    assert scene.house.own is not None
    built = scene.house.own.built_at
    assert warned(scene, built - timedelta(days=1))
    assert warned(scene, built - timedelta(seconds=1))
    assert not warned(scene, built)
