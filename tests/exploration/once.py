"""What is pure is worked out once: thousands of schedules decode the same bytes and ask the same machines the same.

Only functions whose answer hangs on nothing but what they are given are remembered, so a schedule cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from ems_admin import codec
from ems_admin.machines.kernel import Machine, Regions
from ems_admin.stores.records import read_record
from tests.memory import files, house, records

DECIDED: dict[Any, tuple[Any, Any]] = {}
"""By machine, record, trigger and facts. The record itself is kept, so that its identity stays its own."""


def remember_pure_answers(patch: pytest.MonkeyPatch) -> None:
    """Work everything out once until the patch is taken back."""
    patch.setattr(records, "read_record", READ)
    patch.setattr(files, "read_record", READ)
    patch.setattr(codec, "encode", _encode)
    patch.setattr(Regions, "decide", _once(Regions.decide))
    patch.setattr(Machine, "decide", _once(Machine.decide))
    patch.setattr(house, "_json", JSON)
    patch.setattr(house, "manifest", MANIFEST)


READ, JSON, MANIFEST = cache(read_record), cache(house._json), cache(house.manifest)
ENCODE: Any = cache(codec.encode)


def _encode(record: Any, **limit: int) -> Any:
    try:
        return ENCODE(record, **limit)
    except TypeError:  # a value with a dictionary in it, which has no hash
        return ENCODE.__wrapped__(record, **limit)


def _once(decide: Callable[..., Any]) -> Callable[..., Any]:
    def decided(machine: Any, record: Any, trigger: Any, facts: Any) -> Any:
        key = (type(machine), machine.name, id(record), trigger.name, facts)
        if key not in DECIDED:
            DECIDED[key] = record, decide(machine, record, trigger, facts)
        return DECIDED[key][1]

    return decided
