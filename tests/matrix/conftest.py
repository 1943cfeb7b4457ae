"""A folder for each play; builds are packed once, and only when a play installs one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from ems_admin.builds.identity import own_identity
from ems_admin.demo.packing import pack_demo_builds
from tests.matrix.show import Theatre
from tests.workflows.scene import PROCESSES


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builds")


def pack(catalogue: Path) -> None:
    own = own_identity()
    assert own is not None, "run `make build-identity`"
    asyncio.run(pack_demo_builds(catalogue, own))


@pytest.fixture
def theatre(tmp_path: Path, catalogue: Path) -> Iterator[Theatre]:
    yield Theatre(root=tmp_path / "ems", catalogue=catalogue, pack=partial(pack, catalogue))
    while PROCESSES:
        PROCESSES.pop().let_go()
