"""Running means the very same life, from the start to the end of the window (`site.md` 8; F22)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import EngineFailure
from tests.docker.ground import Ground, quietly


@pytest.mark.parametrize("way", ["restart", "stop", "kill"])
async def test_one_that_is_started_anew_within_the_window_does_not_count_as_running(ground: Ground, way: str) -> None:
    """F22: what is up again at the next look has been down all the same."""
    engine, seen = ground.engine(), asyncio.Event()
    await engine.start(ground.light(), quietly)
    settling = asyncio.create_task(engine.settle(timedelta(seconds=60), lambda _progress: seen.set()))
    await seen.wait()
    await asyncio.to_thread(ground.lab.api.ask, "POST", f"containers/ems/{way}")
    outcome = await settling
    assert isinstance(outcome, EngineFailure)
    assert (outcome.code, outcome.detail) == (Code.EMS_NOT_RUNNING, "ems")
