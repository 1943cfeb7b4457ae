"""A site of its own on the engine of the lab, for whoever upgrades it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.docker.upgrade.site import UpgradeHouse
from tests.lab.lab import Lab

NUMBER = 900
"""Beyond those of the sites that meet in one power cut."""


@pytest.fixture
def site(lab: Lab) -> Iterator[UpgradeHouse]:
    site = UpgradeHouse(lab=lab, number=NUMBER)
    yield site
    lab.engine.ensure_running()
    site.take_down()
