"""At the end of a test its processes are gone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.workflows.scene import PROCESSES


@pytest.fixture(autouse=True)
def no_process_outlives_its_test() -> Iterator[None]:
    yield
    while PROCESSES:
        PROCESSES.pop().let_go()
