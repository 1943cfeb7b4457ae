"""Keys that a newer build brings come from its template, and nothing that people took out comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ems_admin import demo
from ems_admin.workflows.config.added_keys import with_added_keys

EMS = Path(demo.__file__).parent / "ems"
SCHEMA: dict[str, Any] = json.loads((EMS / "config.schema.json").read_text(encoding="utf-8"))
TEMPLATE: dict[str, Any] = json.loads((EMS / "config.template.json").read_text(encoding="utf-8"))


def test_what_the_schema_names_and_the_config_lacks_comes_from_the_template() -> None:
    found = with_added_keys({"system": {"deadband": 1}, "features": {"history": False}}, TEMPLATE, SCHEMA)
    assert found == {
        **TEMPLATE,
        "system": {**TEMPLATE["system"], "deadband": 1},
        "features": {**TEMPLATE["features"], "history": False},
    }


def test_what_the_schema_does_not_name_is_not_added_and_not_taken_away() -> None:
    template = {**TEMPLATE, "surplus": 1, "mqtt": {"brokers": {"example": {"host": "h"}}}}
    config = {**TEMPLATE, "own": 2, "mqtt": {"brokers": {"home": {"host": "mine"}}}}
    assert with_added_keys(config, template, SCHEMA) == config


def test_references_and_parts_of_the_schema_are_followed() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/a"}, "round": {"$ref": "#/$defs/round"}},
        "$defs": {
            "a": {"allOf": [{"properties": {"x": {}}}, {"$ref": "#/$defs/more"}]},
            "more": {"properties": {"y": {}}},
            "round": {"$ref": "#/$defs/round"},
        },
    }
    template = {"a": {"x": 1, "y": 2, "z": 3}, "round": {"b": 1}}
    assert with_added_keys({"a": {}, "round": {}}, template, schema) == {"a": {"x": 1, "y": 2}, "round": {}}


VALUES = st.integers(0, 3) | st.booleans() | st.lists(st.integers(0, 3), max_size=2)
PARTS = st.dictionaries(st.sampled_from(["dry_run", "deadband", "history", "own"]), VALUES)
CONFIGS = st.dictionaries(st.sampled_from([*TEMPLATE, "own"]), PARTS | VALUES)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(config=CONFIGS)
def test_adding_twice_is_adding_once_and_nothing_that_is_there_changes(config: dict[str, Any]) -> None:
    before = json.dumps(config)
    once = with_added_keys(config, TEMPLATE, SCHEMA)
    assert json.dumps(config) == before
    assert with_added_keys(once, TEMPLATE, SCHEMA) == once
    for key, value in config.items():
        assert once[key] == value or {**once[key], **value} == once[key]
