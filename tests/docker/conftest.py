"""A site of each test on the engine of the lab."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.docker.ground import Ground
from tests.lab.lab import Lab


@pytest.fixture
def ground(lab: Lab) -> Iterator[Ground]:
    ground = Ground(lab=lab, root=lab.plot.folder / "site")
    ground.lay_out()
    yield ground
    lab.engine.ensure_running()
    for container in lab.api.containers():
        lab.api.remove(container["Id"])
    shutil.rmtree(ground.root)
