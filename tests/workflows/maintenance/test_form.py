"""The form of a config is made from the schema of its build, in the words and limits that stand there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ems_admin import demo
from ems_admin.workflows.maintenance.form import FormField, FormSection, Kind, When, form_of

SCHEMA: dict[str, Any] = json.loads(
    (Path(demo.__file__).parent / "ems" / "config.schema.json").read_text(encoding="utf-8")
)


def section(key: str) -> FormSection:
    return next(section for section in form_of(SCHEMA) if section.key == key)


def member(fields: tuple[FormField, ...], key: str) -> FormField:
    return next(field for field in fields if field.key == key)


def item(field: FormField) -> FormField:
    assert field.item is not None
    return field.item


def test_each_top_part_is_a_section_and_what_has_one_value_is_not_asked_for() -> None:
    assert [(section.key, section.label) for section in form_of(SCHEMA)] == [
        ("system", "System"),
        ("devices", "Batteries and inverters"),
        ("grid_meter", "Grid meter"),
        ("mqtt", "MQTT"),
        ("features", "Features"),
    ]


def test_a_field_has_its_words_its_limits_and_its_unit() -> None:
    fields = section("system").fields
    assert member(fields, "deadband") == FormField(
        key="deadband",
        pointer="/system/deadband",
        label="Deadband at the grid meter",
        kind=Kind.INTEGER,
        required=True,
        help="Smaller deviations are left alone.",
        minimum=0,
        maximum=2000,
        unit="W",
    )
    assert member(fields, "dry_run").kind is Kind.SWITCH


def test_a_list_says_what_its_items_look_like_from_the_item_on() -> None:
    (devices,) = section("devices").fields
    device = item(devices)
    assert (devices.kind, devices.min_length, devices.max_length, devices.keyed) == (Kind.LIST, 1, 64, False)
    assert (device.kind, member(device.fields, "name").pointer) == (Kind.GROUP, "/name")
    capacity = member(device.fields, "battery_kwh")
    assert (capacity.kind, capacity.above, capacity.maximum, capacity.unit) == (Kind.NUMBER, 0, 500, "kWh")
    assert (member(device.fields, "min_soc").maximum, member(device.fields, "min_soc").unit) == (100, "%")


def test_a_choice_says_which_fields_it_opens() -> None:
    for fields in (item(section("devices").fields[0]).fields, section("grid_meter").fields):
        assert member(fields, "type").choices == ("local_api", "mqtt")
        assert member(fields, "ip").only_when == When(key="type", values=("local_api",))
        assert member(fields, "mqtt").only_when == When(key="type", values=("mqtt",))


def test_a_password_is_asked_for_where_its_broker_stands_and_not_where_it_is_kept() -> None:
    (brokers,) = section("mqtt").fields
    broker = item(brokers)
    assert (brokers.kind, brokers.keyed) == (Kind.LIST, True)
    assert [(field.key, field.kind) for field in broker.fields] == [
        ("host", Kind.TEXT),
        ("port", Kind.INTEGER),
        ("tls", Kind.SWITCH),
        ("username", Kind.TEXT),
        ("password", Kind.SECRET),
    ]


def test_a_schema_that_goes_round_or_says_little_gives_a_form_all_the_same() -> None:
    circle = {"$ref": "#/$defs/a"}
    schema = {
        "properties": {"a": circle, "b": {}, "c": {"type": ["string", "null"]}, "own_secret": {"type": "string"}},
        "$defs": {"a": {"type": "object", "properties": {"inner": circle}}},
    }
    assert [section.key for section in form_of(schema)] == ["a", "own_secret"]
    assert form_of(schema)[1].fields[0].kind is Kind.SECRET
    assert form_of({}) == ()
