"""W5, worked out: brokers inside devices move to their place, passwords to the store, and nothing is guessed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ems_admin.workflows.config.mqtt_migration import Migration, migrate

Json = dict[str, Any]


def config(*devices: Json, brokers: Json | None = None, **more: Any) -> Json:
    return {
        "devices": [{"name": f"d{n}", "type": "mqtt", "mqtt": mqtt} for n, mqtt in enumerate(devices)],
        "mqtt": {"brokers": brokers or {}},
        **more,
    }


def addresses(found: Migration) -> list[Json]:
    return [device["mqtt"] for device in found.config["devices"]]


def test_a_broker_inside_a_device_moves_and_its_password_goes_to_the_store() -> None:
    inside = {"host": "mqtt.lan", "port": 8883, "tls": True, "username": "ems", "password": "pw", "topic": "a/b"}
    found = migrate(config(inside), {})
    assert addresses(found) == [{"broker_ref": "mqtt-lan", "topic": "a/b"}]
    assert found.config["mqtt"]["brokers"] == {
        "mqtt-lan": {"host": "mqtt.lan", "port": 8883, "tls": True, "username": "ems", "credentials_ref": "mqtt-lan"}
    }
    assert found.secrets == {"mqtt-lan": {"username": "ems", "password": "pw"}}
    (change,) = found.changes
    assert (change.pointer, change.target) == ("/devices/0/mqtt", "/mqtt/brokers/mqtt-lan")
    assert (found.needed, change.new_broker, change.password_moved, found.findings) == (True, True, True, ())
    assert "pw" not in repr(found.changes) + json.dumps(found.config)


def test_devices_of_one_broker_share_it_and_another_user_has_one_of_its_own() -> None:
    a = {"host": "h", "username": "a", "password": "1"}
    found = migrate(config(a, {**a, "device_id": "x"}, {"broker": {**a, "host": "H"}}, {**a, "password": "2"}), {})
    assert [address["broker_ref"] for address in addresses(found)] == ["h", "h", "h", "h-2"]
    assert found.secrets == {
        "h": {"username": "a", "password": "1"},
        "h-2": {"username": "a", "password": "2"},
    }
    assert [change.new_broker for change in found.changes] == [True, False, False, True]


def test_a_broker_that_is_there_already_is_taken_and_the_meter_moves_as_well() -> None:
    there = {"home": {"host": "h", "port": 1883, "tls": False}}
    meter = {"grid_meter": {"type": "mqtt", "mqtt": {"host": "h", "topic": "grid"}}}
    found = migrate(config({"host": "h", "port": 1883, "tls": False}, brokers=there, **meter), {})
    assert addresses(found) == [{"broker_ref": "home"}]
    assert found.config["grid_meter"]["mqtt"] == {"broker_ref": "home", "topic": "grid"}
    assert found.config["mqtt"]["brokers"] == there
    assert found.secrets == {}


def test_a_password_beside_its_broker_goes_to_the_store_and_over_what_was_there() -> None:
    there = {"home": {"host": "h", "port": 1883, "tls": False, "username": "u", "password": "new"}}
    found = migrate(config(brokers=there), {"home": {"username": "u", "password": "old"}})
    assert found.config["mqtt"]["brokers"]["home"]["credentials_ref"] == "home"
    assert "password" not in found.config["mqtt"]["brokers"]["home"]
    assert found.secrets == {"home": {"username": "u", "password": "new"}}


def test_the_secret_of_another_broker_is_never_written_over() -> None:
    one = {"host": "a", "port": 1883, "tls": False, "credentials_ref": "s"}
    found = migrate(config(brokers={"x": one, "y": {**one, "host": "b", "password": "p"}}), {"s": {"password": "q"}})
    assert list(found.secrets) == ["y"]
    assert found.config["mqtt"]["brokers"]["y"]["credentials_ref"] == "y"
    left_over = migrate(config({"host": "s", "password": "p"}), {"s": {"username": "", "password": "of nobody"}})
    assert list(left_over.secrets) == ["s-2"]


@pytest.mark.parametrize(
    "device",
    [
        {"broker_ref": "home", "host": "elsewhere"},
        {"broker_ref": "home", "host": "h", "port": 9999},
        {"port": 1883, "topic": "no address"},
        {"host": " "},
    ],
)
def test_what_leaves_open_which_broker_is_meant_stays_and_is_named(device: Json) -> None:
    before = config(device, brokers={"home": {"host": "h", "port": 1883, "tls": False}})
    found = migrate(before, {})
    assert (found.config, found.needed) == (before, False)
    assert [entry.pointer for entry in found.findings] == ["/devices/0"]


def test_a_device_that_repeats_what_its_broker_says_just_forgets_it() -> None:
    there = {"home": {"host": "h", "port": 8883, "tls": True, "username": "u", "credentials_ref": "home"}}
    found = migrate(config({"broker_ref": "home", "host": "h"}, brokers=there), {})
    assert (addresses(found), found.config["mqtt"]["brokers"]) == ([{"broker_ref": "home"}], there)


def test_a_config_of_the_new_kind_needs_nothing() -> None:
    now = config({"broker_ref": "home", "topic": "t"}, brokers={"home": {"host": "h", "port": 1, "tls": False}})
    assert migrate(now, {}) == Migration(needed=False, config=now, secrets={}, changes=(), findings=())


SCALAR: st.SearchStrategy[Any] = (
    st.none() | st.just([]) | st.booleans() | st.integers(0, 9000) | st.sampled_from(["", "a", "b", "home", "x y"])
)
ADDRESS = st.fixed_dictionaries(
    {},
    optional={
        "host": st.sampled_from(["a", "A", "b.lan", ""]) | SCALAR,
        "port": st.sampled_from([1883, 8883]) | SCALAR,
        "tls": st.booleans() | SCALAR,
        "username": st.sampled_from(["u", "v"]) | SCALAR,
        "password": st.sampled_from(["p", "q"]) | SCALAR,
        "credentials_ref": st.sampled_from(["a", "home"]) | SCALAR,
    },
)
MQTT = st.builds(
    lambda address, nested, ref: {**address, **({} if nested is None else {"broker": nested}), **ref},
    ADDRESS,
    st.none() | ADDRESS,
    st.just({}) | st.builds(lambda ref: {"broker_ref": ref}, st.sampled_from(["home", "a", "gone"])),
)
CONFIGS = st.builds(
    lambda devices, brokers, meter: config(*devices, brokers=brokers, grid_meter={"mqtt": meter}),
    st.lists(MQTT, max_size=4),
    st.dictionaries(st.sampled_from(["home", "a", "b-lan"]), ADDRESS, max_size=2),
    MQTT,
)
SECRETS = st.dictionaries(
    st.sampled_from(["home", "a", "b-lan"]),
    st.fixed_dictionaries({"username": st.sampled_from(["", "u"]), "password": st.sampled_from(["p", "r"])}),
)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(before=CONFIGS | st.dictionaries(st.sampled_from(["devices", "mqtt", "grid_meter"]), SCALAR), secrets=SECRETS)
def test_whatever_it_comes_to_needs_no_second_migration(before: Json, secrets: dict[str, dict[str, str]]) -> None:
    untouched = json.dumps(before)
    once = migrate(before, secrets)
    assert json.dumps(before) == untouched
    again = migrate(once.config, {**secrets, **once.secrets})
    assert (again.needed, again.config, again.secrets) == (False, once.config, {})
    assert once.needed == (once.config != before)
    assert once.findings == again.findings


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(before=CONFIGS, secrets=SECRETS)
def test_no_secret_that_a_broker_goes_by_is_lost(before: Json, secrets: dict[str, dict[str, str]]) -> None:
    """Every broker that had a password in the store, or beside it, has the same one afterwards."""
    after = migrate(before, secrets)
    stored = {**secrets, **after.secrets}
    for ref, broker in before["mqtt"]["brokers"].items():
        now = after.config["mqtt"]["brokers"][ref]
        if isinstance(broker.get("password"), str):
            assert stored[now["credentials_ref"]]["password"] == broker["password"]
        elif isinstance(kept := broker.get("credentials_ref"), str) and kept in secrets:
            others = [
                b for r, b in before["mqtt"]["brokers"].items() if r != ref and b.get("credentials_ref", r) == kept
            ]
            if not others:
                assert stored[now["credentials_ref"]] == secrets[kept]
