"""A stale edit or draft brought up to date: taken field by field, reviewed again, and never written here."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.workflows.config.diff import MASK
from ems_admin.workflows.config.merging import Choices, merge_draft, merge_edit
from ems_admin.workflows.config.three_ways import Side, Standing
from tests.workflows.maintenance.edits import edited, installed, live, revision, saving, stored_secrets
from tests.workflows.places import again, secret_draft
from tests.workflows.scene import CONFIG, Scene

POWER = "/system/max_total_power"


def choices(base: str | None, take: Side | None = None, **fields: Side) -> Choices:
    return Choices(
        base_revision=base, fields={name.replace("__", "/"): side for name, side in fields.items()}, take=take
    )


def overtaken() -> tuple[Scene, dict[str, Any], str | None]:
    """Two have edited the same config; the other one was quicker."""
    scene = installed()
    base, mine, theirs = revision(scene), edited(scene, 3000), edited(scene, 4000)
    mine["system"]["deadband"] = 30
    mine["mqtt"]["brokers"]["home"]["password"] = "new-secret"
    theirs["features"]["winter_mode"] = True
    scene.do(saving(scene, theirs))
    return scene, mine, base


@pytest.mark.parametrize(("side", "power"), [(Side.LIVE, 4000), (Side.MINE, 3000)])
def test_a_conflict_is_decided_and_what_one_side_changed_alone_comes_from_there(side: Side, power: int) -> None:
    scene, mine, base = overtaken()
    before = scene.files
    refusal = scene.refused(saving(scene, mine, made_from=base))
    assert refusal.more["three_ways"].conflicts == (POWER,)  # type: ignore[attr-defined]  # as it is tested elsewhere
    merged = scene.do(merge_edit(scene.house, mine, choices(base, **{POWER.replace("/", "__"): side})))
    assert scene.files == before
    assert merged.undecided == ()
    applied = scene.do(saving(scene, dict(merged.draft), made_from=merged.revision))
    assert applied.changed
    now = live(scene)
    assert (now["system"]["max_total_power"], now["system"]["deadband"]) == (power, 30)
    assert now["features"]["winter_mode"] is True
    assert stored_secrets(scene)["home"]["password"] == "new-secret"


def test_taking_live_everywhere_leaves_nothing_to_save() -> None:
    scene, mine, base = overtaken()
    merged = scene.do(merge_edit(scene.house, mine, choices(base, Side.LIVE)))
    assert not scene.do(saving(scene, dict(merged.draft), made_from=merged.revision)).changed


def test_an_undecided_conflict_is_named_and_stands_as_it_is_in_mine() -> None:
    scene, mine, base = overtaken()
    merged = scene.do(merge_edit(scene.house, mine, choices(base)))
    assert (merged.undecided, merged.draft["system"]["max_total_power"]) == ((POWER,), 3000)
    assert merged.draft["mqtt"]["brokers"]["home"]["password"] == "new-secret"


def test_a_choice_for_a_field_that_nobody_changed_is_refused_by_its_name() -> None:
    scene, mine, base = overtaken()
    refusal = scene.refused(merge_edit(scene.house, mine, choices(base, __gone=Side.LIVE)))
    assert (refusal.code, refusal.detail) == (Code.UNSUPPORTED_VALUE, "/gone")


def test_a_review_that_nobody_remembers_makes_every_difference_a_question() -> None:
    scene, mine, _base = overtaken()
    merged = scene.do(merge_edit(scene.house, mine, choices("0" * 64)))
    assert {field.standing for field in merged.three_ways.fields} == {Standing.CONFLICT}


def stale_setup() -> tuple[Scene, str | None]:
    """A draft was shown beside a config that somebody then changed by hand."""
    scene = again("fetched")
    first = scene.review(secret_draft("First"))
    scene.site.world.files[CONFIG] = first.reviewed.composed.data
    base = scene.review(secret_draft("Second")).reviewed.live_revision
    theirs = json.loads(scene.files[CONFIG])
    theirs["features"]["winter_mode"] = True
    theirs["devices"][1]["max_power"] = 1111
    scene.site.world.files[CONFIG] = json.dumps(theirs).encode()
    return scene, base


def test_a_stale_draft_is_shown_three_ways_and_leads_back_into_a_draft() -> None:
    """Seed 000 6.5: what was reviewed by hand alone was kept by the preview itself."""
    scene, base = stale_setup()
    refusal = scene.refused(scene.applying(overwrite=True))
    assert (refusal.code, refusal.more["baseline_revision"]) == (Code.STALE_SETUP_CONFIG, base)
    ways = {field.pointer: field.standing for field in refusal.more["three_ways"].fields}  # type: ignore[attr-defined]
    assert ways == {
        "/features/winter_mode": Standing.LIVE_ONLY,
        "/devices/roof_south/max_power": Standing.LIVE_ONLY,
        "/devices/First": Standing.MINE_ONLY,
        "/devices/Second": Standing.MINE_ONLY,
    }
    merged = scene.do(merge_draft(scene.house, scene.draft, choices(base)))
    assert (merged.undecided, merged.left_out) == ((), ())
    assert merged.draft.mqtt_broker == scene.draft.mqtt_broker
    shown = scene.review(merged.draft)
    assert shown.reviewed.ready
    scene.do(scene.applying(overwrite=True))
    now = json.loads(scene.files[CONFIG])
    assert now["features"]["winter_mode"] is True
    assert {device["name"]: device.get("max_power") for device in now["devices"]} == {
        "Second": 3000,
        "roof_south": 1111,
    }


def test_what_a_draft_has_no_word_for_is_named_when_it_is_taken() -> None:
    scene, base = stale_setup()
    theirs = json.loads(scene.files[CONFIG])
    theirs["system"]["deadband"] = 99
    scene.site.world.files[CONFIG] = json.dumps(theirs).encode()
    merged = scene.do(merge_draft(scene.house, scene.draft, choices(base, Side.LIVE)))
    assert merged.left_out == ("/system/deadband",)
    assert [item.config_name for item in merged.draft.devices][:2] == ["First", "roof_south"]


def test_a_setup_can_begin_from_what_is_live() -> None:
    scene, _base = stale_setup()
    empty = evolve(secret_draft(), devices=(), features={}, mqtt_broker=type(secret_draft().mqtt_broker)())
    merged = scene.do(merge_draft(scene.house, empty, choices(None, Side.LIVE)))
    ways = scene.do(merge_draft(scene.house, merged.draft, choices(None))).three_ways
    assert {field.standing for field in ways.fields} == {Standing.SAME}
    assert MASK not in repr(merged.draft)
