"""From "Start" to a healthy EMS takes hardly longer than running the image by hand and asking it."""

from __future__ import annotations

import time
import urllib.request
from typing import Any

from attrs import evolve

from ems_admin.docker.creating import body
from ems_admin.docker.definition import Definition
from ems_admin.workflows.ports.engine import Done
from tests.docker.ground import EMS, PORT, Ground, deployment, eventually, pinned, quietly
from tests.docker.samples import defined

ALLOWED = 1.5
"""Seconds more, without the stability window."""
AT_LEAST, AT_MOST = 2, 8
"""Rounds."""
PATIENT = evolve(EMS, health=evolve(EMS.health, start_period_seconds=60))


def is_well(ground: Ground) -> bool:
    try:
        with urllib.request.urlopen(f"http://{ground.lab.address}:{PORT}{EMS.health.path}", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


async def by_hand(ground: Ground, create: dict[str, Any]) -> float:
    began = time.monotonic()
    ground.lab.api.run("by-hand", create)
    await eventually(lambda: is_well(ground), "the EMS is well")
    spent = time.monotonic() - began
    ground.lab.api.remove("by-hand")
    return spent


async def by_the_engine(ground: Ground) -> float:
    engine = ground.engine()
    began = time.monotonic()
    assert await engine.start(deployment(ground.lab.builds["good"], PATIENT), quietly) == Done()
    assert await engine.probe(dashboard=False, report=quietly) == Done()
    spent = time.monotonic() - began
    ground.lab.api.remove("ems")
    return spent


async def test_a_start_takes_hardly_longer_than_by_hand(ground: Ground) -> None:
    create = body(same(ground))
    create["HostConfig"]["NetworkMode"], create["NetworkingConfig"] = "bridge", {}
    hand, engine = list[float](), list[float]()
    # The shortest of each is what it takes; the rest is what else this machine was doing.
    while len(hand) < AT_LEAST or (min(engine) - min(hand) >= ALLOWED and len(hand) < AT_MOST):
        hand.append(await by_hand(ground, create))
        engine.append(await by_the_engine(ground))
    print(f"\nby hand {min(hand):.2f} s, by the engine {min(engine):.2f} s")  # noqa: T201  # the measure itself
    assert min(engine) - min(hand) < ALLOWED, (hand, engine)


def same(ground: Ground) -> Definition:
    """Say how the engine would run it."""
    binds = tuple(evolve(bind, source=bind.source.replace("/srv/ems", str(ground.root))) for bind in defined().binds)
    return evolve(defined(), reference=pinned(ground.lab.builds["good"]), binds=binds)
