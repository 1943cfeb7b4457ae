"""What is pure is worked out once: thousands of schedules decode the same bytes and ask the same machines the same.

Only functions whose answer hangs on nothing but what they are given are remembered, so a schedule cannot tell.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from ems_admin import codec
from ems_admin.machines.kernel import Machine, Regions
from ems_admin.stores.records import read_record
from ems_admin.workflows.config import checks
from ems_admin.workflows.maintenance import config
from tests.memory import files, history, house, records

DECIDED: dict[Any, tuple[Any, Any]] = {}
"""By machine, record, trigger and facts. The record itself is kept, so that its identity stays its own."""


def remember_pure_answers(patch: pytest.MonkeyPatch) -> None:
    """Work everything out once until the patch is taken back."""
    patch.setattr(records, "read_record", READ)
    patch.setattr(files, "read_record", READ)
    patch.setattr(files, "content", CONTENT)
    patch.setattr(history, "content", CONTENT)
    patch.setattr(history, "read_record", READ)
    patch.setattr(codec, "encode", _encode)
    patch.setattr(Regions, "decide", _once(Regions.decide))
    patch.setattr(Machine, "decide", _once(Machine.decide))
    patch.setattr(checks, "violations", _violations)
    patch.setattr(config, "violations", _violations)
    patch.setattr(house, "_json", JSON)
    patch.setattr(house, "manifest", MANIFEST)


VIOLATIONS = checks.violations
CONTENT = cache(files.content)
READ, JSON, MANIFEST = cache(read_record), cache(house._json), cache(house.manifest)
ENCODE: Any = cache(codec.encode)


def _encode(record: Any, **limit: int) -> Any:
    try:
        return ENCODE(record, **limit)
    except TypeError:  # a value with a dictionary in it, which has no hash
        return ENCODE.__wrapped__(record, **limit)


FOUND: dict[Any, tuple[Any, Any]] = {}
"""By schema, config and origins what was found. The schema itself is kept, as the records above are."""


def _violations(document: Any, schema: Any, origins: Any = ()) -> Any:
    key = (id(schema), json.dumps(document), origins)
    if key not in FOUND:
        FOUND[key] = schema, tuple(VIOLATIONS(document, schema, origins))
    return FOUND[key][1]


def _once(decide: Callable[..., Any]) -> Callable[..., Any]:
    def decided(machine: Any, record: Any, trigger: Any, facts: Any) -> Any:
        key = (type(machine), machine.name, id(record), trigger.name, facts)
        if key not in DECIDED:
            DECIDED[key] = record, decide(machine, record, trigger, facts)
        return DECIDED[key][1]

    return decided
