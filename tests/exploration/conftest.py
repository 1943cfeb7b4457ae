"""What is pure is worked out once: thousands of schedules decode the same bytes and read the same three files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from ems_admin.stores.records import read_record
from tests.memory import files, house, records
from tests.workflows.scene import PROCESSES


@pytest.fixture(autouse=True)
def equal_bytes_are_decoded_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    once = cache(read_record)
    monkeypatch.setattr(records, "read_record", once)
    monkeypatch.setattr(files, "read_record", once)
    monkeypatch.setattr(house, "_json", cache(house._json))
    yield
    while PROCESSES:
        PROCESSES.pop().let_go()
