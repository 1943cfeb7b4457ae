"""A folder for each play; builds are packed once, and only when a play installs one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from ems_admin.builds.identity import own_identity
from ems_admin.demo.packing import pack_demo_builds
from tests.matrix.show import Theatre
from tests.workflows.scene import PROCESSES


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    @cache
    def packed() -> Path:
        own = own_identity()
        assert own is not None, "run `make build-identity`"
        return asyncio.run(pack_demo_builds(tmp_path_factory.mktemp("builds"), own))

    return packed


@pytest.fixture
def theatre(tmp_path: Path, catalogue: Callable[[], Path]) -> Iterator[Theatre]:
    yield Theatre(root=tmp_path / "ems", packed=catalogue)
    while PROCESSES:
        PROCESSES.pop().let_go()
