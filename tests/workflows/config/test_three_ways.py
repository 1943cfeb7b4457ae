"""Reviewed, live and mine side by side: what one alone has changed is no question, the rest is for people to decide."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ems_admin.workflows.config.diff import MASK
from ems_admin.workflows.config.three_ways import Field, Side, Standing, compare, merge

Json = dict[str, Any]

BASE: Json = {
    "system": {"max_total_power": 5000, "deadband": 25},
    "devices": [{"name": "cellar", "max_power": 3000}, {"name": "roof", "ip": "a"}],
    "mqtt": {"brokers": {"home": {"host": "h"}}},
}


def edited(**parts: Any) -> Json:
    return {**deepcopy(BASE), **parts}


def standings(*docs: Any) -> dict[str, Standing]:
    return {field.pointer: field.standing for field in compare(*docs).fields}


def test_each_field_says_who_has_changed_it() -> None:
    live = edited(system={"max_total_power": 4000, "deadband": 30})
    mine = edited(system={"max_total_power": 3000, "deadband": 25, "dry_run": True})
    assert standings(BASE, live, mine) == {
        "/system/max_total_power": Standing.CONFLICT,
        "/system/deadband": Standing.LIVE_ONLY,
        "/system/dry_run": Standing.MINE_ONLY,
    }
    assert standings(BASE, live, live) == {
        "/system/max_total_power": Standing.SAME,
        "/system/deadband": Standing.SAME,
    }
    assert standings(BASE, BASE, BASE) == {}


def test_devices_are_matched_by_name_wherever_they_stand() -> None:
    roof, cellar = deepcopy(BASE["devices"][1]), {"name": "cellar", "max_power": 2000}
    live, mine = edited(devices=[roof, cellar]), edited(devices=[BASE["devices"][0], {"name": "roof", "ip": "b"}])
    assert standings(BASE, live, mine) == {
        "/devices/cellar/max_power": Standing.LIVE_ONLY,
        "/devices/roof/ip": Standing.MINE_ONLY,
    }
    merged = merge(BASE, live, mine, choices={})
    assert merged.config["devices"] == [{"name": "roof", "ip": "b"}, cellar]
    assert merged.undecided == ()


def test_a_device_that_one_side_removed_and_the_other_changed_is_one_question() -> None:
    live, mine = edited(devices=BASE["devices"][1:]), edited(devices=[{"name": "cellar", "max_power": 1}])
    assert standings(BASE, live, mine) == {
        "/devices/roof": Standing.MINE_ONLY,
        "/devices/cellar": Standing.CONFLICT,
    }
    kept = merge(BASE, live, mine, choices={"/devices/cellar": Side.MINE, "/devices/roof": Side.LIVE})
    assert {device["name"] for device in kept.config["devices"]} == {"roof", "cellar"}


def test_without_a_baseline_every_difference_is_a_question() -> None:
    live = edited(system={"max_total_power": 4000, "deadband": 25})
    assert standings(None, live, {**BASE, "own": 1}) == {
        "/system/max_total_power": Standing.CONFLICT,
        "/own": Standing.CONFLICT,
    }
    assert standings({}, live, {**BASE, "own": 1})["/own"] is Standing.MINE_ONLY


def test_a_config_that_was_taken_away_is_a_question_for_what_mine_changed() -> None:
    mine = edited(system={"max_total_power": 1})
    assert standings(BASE, None, mine)["/system"] is Standing.CONFLICT
    assert standings(BASE, None, mine)["/devices"] is Standing.LIVE_ONLY


def test_secrets_are_compared_and_never_shown() -> None:
    live, mine = edited(mqtt={"password": "secret-1"}), edited(mqtt={"password": "secret-2"})
    ways = compare(BASE, live, mine)
    assert (
        Field(
            pointer="/mqtt/password",
            standing=Standing.CONFLICT,
            values={Side.LIVE: MASK, Side.MINE: MASK},
        )
        in ways.fields
    )
    assert "secret-" not in repr(ways)
    assert merge(BASE, live, mine, choices={"/mqtt/password": Side.MINE}).config["mqtt"] == {"password": "secret-2"}


def test_a_conflict_that_nobody_decided_is_named_and_so_is_a_choice_for_nothing() -> None:
    live = edited(system={"max_total_power": 4000, "deadband": 25})
    mine = edited(system={"max_total_power": 3000, "deadband": 25})
    merged = merge(BASE, live, mine, choices={"/gone": Side.LIVE})
    assert (merged.undecided, merged.unknown) == (("/system/max_total_power",), ("/gone",))
    assert merged.config == mine


NAMES = st.sampled_from(["a", "b/c", "d~", ""])
LEAVES = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["x", "y"]) | st.lists(st.integers(0, 1))
NAMED = st.lists(
    st.tuples(NAMES, st.dictionaries(NAMES, LEAVES, max_size=2)), max_size=3, unique_by=lambda d: d[0]
).map(lambda pairs: [{**inner, "name": name} for name, inner in pairs])
VALUES = st.recursive(LEAVES | NAMED, lambda inner: st.dictionaries(NAMES, inner, max_size=3), max_leaves=6)
CONFIGS = st.dictionaries(NAMES, VALUES, max_size=3)


def plain(value: Any) -> Any:
    """Put named things into one order, and tell `true` from 1."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in sorted(value.items())}
    if isinstance(value, list):
        named = all(isinstance(thing, dict) and "name" in thing for thing in value)
        things = [plain(thing) for thing in value]
        return sorted(things, key=lambda thing: str(thing["name"])) if named else things
    return (type(value).__name__, value)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(baseline=st.none() | CONFIGS, live=CONFIGS, mine=CONFIGS)
def test_taking_one_side_everywhere_gives_that_side(baseline: Json | None, live: Json, mine: Json) -> None:
    assert merge(baseline, live, mine, choices={}, take=Side.LIVE).config == live
    assert plain(merge(baseline, live, mine, choices={}, take=Side.MINE).config) == plain(mine)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(baseline=CONFIGS, live=CONFIGS, mine=CONFIGS)
def test_saying_it_field_by_field_is_saying_it_at_once(baseline: Json, live: Json, mine: Json) -> None:
    fields = compare(baseline, live, mine).fields
    assert len({field.pointer for field in fields}) == len(fields)
    for side in (Side.LIVE, Side.MINE):
        each = merge(baseline, live, mine, choices={field.pointer: side for field in fields})
        assert plain(each.config) == plain(merge(baseline, live, mine, choices={}, take=side).config)
        assert (each.undecided, each.unknown) == ((), ())


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(baseline=CONFIGS, changed=CONFIGS)
def test_where_only_one_side_changed_there_is_no_question(baseline: Json, changed: Json) -> None:
    assert compare(baseline, changed, baseline).conflicts == ()
    assert compare(baseline, baseline, changed).conflicts == ()
    assert plain(merge(baseline, changed, baseline, choices={}).config) == plain(changed)
    assert plain(merge(baseline, baseline, changed, choices={}).config) == plain(changed)
    assert compare(baseline, changed, changed).conflicts == ()


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        return {key: shuffled(inner, chance) for key, inner in chance.sample(list(value.items()), len(value))}
    if isinstance(value, list) and all(isinstance(thing, dict) and "name" in thing for thing in value):
        return [shuffled(thing, chance) for thing in chance.sample(value, len(value))]
    return value


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(docs=st.tuples(CONFIGS, CONFIGS, CONFIGS), seed=st.integers(0, 1000))
def test_the_order_of_devices_and_keys_does_not_matter(docs: tuple[Json, Json, Json], seed: int) -> None:
    chance = random.Random(seed)
    others = [shuffled(doc, chance) for doc in docs]
    assert standings(*docs) == standings(*others)
    assert plain(merge(*docs, choices={}).config) == plain(merge(*others, choices={}).config)
