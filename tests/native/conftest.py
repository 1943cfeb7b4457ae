"""Every site of a test, and nothing of it left behind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.native.ground import Ground
from tests.native.host import kill_marked


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    ground = Ground(tmp_path)
    yield ground
    kill_marked(ground.place.site)
