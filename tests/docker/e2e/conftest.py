"""A browser before an Admin that is a real container, at the address that another device would use."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from tests.e2e import journey
from tests.e2e.conftest import browser as browser  # noqa: PLC0414  # a fixture
from tests.e2e.conftest import open_tab as open_tab  # noqa: PLC0414
from tests.e2e.visitor import Visitor
from tests.lab.house import ADMIN, House
from tests.lab.lab import Lab


@pytest.fixture
def address(house: House) -> str:
    return house.url


@frozen
class Kept:
    """An install root as it was left at one point, to begin from again."""

    root: Path

    @classmethod
    def of(cls, house: House, into: Path) -> Kept:
        """Let the Admin of a house end, and keep what lies there."""
        house.lab.api.ask("POST", f"containers/{ADMIN}/stop")
        return cls(_copied(house.root, into))

    def put_back(self, house: House) -> None:
        """Have the house as it was, and its Admin up."""
        _copied(self.root, house.root)
        house.compose_up()


def _copied(root: Path, to: Path) -> Path:
    subprocess.run(["cp", "--archive", root, to], check=True)  # owners and times included
    return to


@pytest.fixture(scope="module")
def kept_before_start(one_lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """A site of which only the start of the EMS is left to do; made once for all tests of a module."""
    one_lab.restore()
    house = House(lab=one_lab)
    house.start_admin()
    journey.to_start(Visitor(house.url).enter(house.code()))
    kept = Kept.of(house, tmp_path_factory.mktemp("house") / "root")
    house.remove()
    yield kept
    shutil.rmtree(kept.root)


@pytest.fixture
def before_start(kept_before_start: Kept, house: House) -> House:
    """Such a site."""
    kept_before_start.put_back(house)
    return house
