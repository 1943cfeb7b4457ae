"""The recorder misses nothing: whatever is left out of the story of the boiler, it names."""

from __future__ import annotations

from typing import Final

import pytest
from attrs import evolve

from ems_admin.machines.kernel import Edge, Regions
from tests.machines.kernel.boiler import COLD, ENGINE_ROOM, HEAT, HOT, LIGHT, SCRAPPED, WHISTLE, Boiler, Heat
from tests.machines.recorder import untold
from tests.machines.transcript import replay

WHOLE: Final = """\
given granted=yes water=full pressure=1
light
  refused no_boiler
build granted=no
  refused no_permit
build
  accepted
  now cold, quiet
build
  refused stands_already
cool
  accepted
  now cold, quiet
light water=empty
  refused no_water
light water=broken
  refused gauge_broken
light pressure=9
  answered overpressure
  now cold, blowing
  sets whistle
light pressure=9
  answered overpressure
  now cold, blowing
light
  accepted
  now hot, quiet
  sets heat, whistle, fires
  then OpenValve fires=0
light
  refused hot_already
cool
  accepted
  now cold, quiet
  sets heat
light
  accepted
  now hot, quiet
  sets heat, fires
  then OpenValve fires=1
scrap
  accepted
  now scrapped, quiet
  sets heat
scrap
  accepted
  now scrapped, quiet
light
  refused scrap
cool
  refused scrap
build
  accepted
  now cold, quiet
  sets heat, fires
scrap
  accepted
  now scrapped, quiet
  sets heat
"""


def left_out(story: str, regions: Regions[Boiler] = ENGINE_ROOM) -> list[str]:
    return list(untold(regions, replay(regions, story).steps))


def test_a_whole_story_leaves_nothing_untold_and_is_told_as_it_was_written() -> None:
    assert replay(ENGINE_ROOM, WHOLE).text == WHOLE
    assert left_out(WHOLE) == []


@pytest.mark.parametrize(
    ("without", "missing"),
    [
        ("light water=empty\n", "heat: there_is_water answers no_water"),
        ("light water=broken\n", "heat: there_is_water answers gauge_broken"),
        ("build granted=no\n", "permit_is_granted answers no_permit"),
        ("light pressure=9\n", "whistle: light from quiet to blowing answering overpressure"),
        ("cool\n", "heat: cool from cold to cold"),
    ],
)
def test_what_is_left_out_is_named(without: str, missing: str) -> None:
    assert missing in left_out(WHOLE.replace(without, ""))


def test_a_beginning_and_a_wrong_state_count_as_well() -> None:
    missing = left_out("given granted=yes\nbuild\n")
    assert {
        "build is refused with stands_already",
        "without a record there is no_boiler",
        "heat: light in hot answers hot_already",
        "heat: light in scrapped answers scrap",
        "heat: scrap from hot to scrapped",
    } <= set(missing)


def test_an_edge_that_is_added_has_to_be_told() -> None:
    other: Edge[Boiler, Heat] = Edge(LIGHT, COLD, SCRAPPED)
    room = evolve(ENGINE_ROOM, machines=(evolve(HEAT, edges=(*HEAT.edges, other)), WHISTLE))
    story = "given granted=yes water=full pressure=1\nbuild\nlight\n"
    assert "heat: light from cold to scrapped" in left_out(story, room)
    assert "heat: light from cold to scrapped" not in left_out(story.replace("light\n", "light water=empty\n"), room)


def test_a_word_that_the_trigger_does_not_know_is_an_error() -> None:
    with pytest.raises(KeyError, match="watr"):
        replay(ENGINE_ROOM, "light watr=full\n")
    with pytest.raises(KeyError, match="perhaps"):
        replay(ENGINE_ROOM, "build granted=perhaps\n")


def test_the_boiler_is_hot_in_between() -> None:
    told = replay(ENGINE_ROOM, "given granted=yes water=full pressure=1\nbuild\nlight\n")
    assert told.record is not None
    assert told.record.heat is HOT
