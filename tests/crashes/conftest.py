"""No process of a scene outlives its test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crashes.forks import folder_of_files
from tests.workflows.scene import PROCESSES


@pytest.fixture
def folder() -> Iterator[Path]:
    with folder_of_files() as made:
        yield made


@pytest.fixture(autouse=True)
def nothing_goes_on() -> Iterator[None]:
    yield
    while PROCESSES:
        PROCESSES.pop().let_go()
