"""What a decision promises, told by a boiler and its whistle."""

from __future__ import annotations

from typing import Any, Final

import pytest
from attrs import evolve

from ems_admin.machines.kernel import (
    Accepted,
    Answered,
    Decision,
    DeclarationError,
    Edge,
    Machine,
    Refused,
    Trigger,
)
from tests.machines.kernel.boiler import (
    BLOWING,
    BUILD,
    COLD,
    COOL,
    ENGINE_ROOM,
    HEAT,
    HOT,
    LIGHT,
    QUIET,
    SCRAP,
    SCRAPPED,
    WHISTLE,
    Answer,
    Boiler,
    Fire,
    Gauge,
    Moment,
    OpenValve,
    Permit,
    built,
    pressure_is_low,
    there_is_water,
)

STANDING: Final = built(None)


def accepted(decision: Decision[Boiler]) -> Accepted[Boiler]:
    assert isinstance(decision, Accepted)
    return decision


def refused(decision: Decision[Boiler]) -> Answer:
    assert isinstance(decision, Refused)
    assert isinstance(decision.refusal.code, Answer)
    return decision.refusal.code


def test_an_edge_gives_the_whole_next_record() -> None:
    decision = accepted(HEAT.decide(STANDING, LIGHT, Fire()))
    assert decision.record == Boiler(heat=HOT, whistle=QUIET, fires=1)


def test_the_record_that_was_given_is_left_alone() -> None:
    HEAT.decide(STANDING, LIGHT, Fire())
    assert built(None) == STANDING


def test_a_step_names_machine_edge_and_the_state_it_left() -> None:
    (step,) = accepted(HEAT.decide(evolve(STANDING, heat=HOT), SCRAP, Moment())).steps
    assert (step.machine, step.edge.target, step.source) == (HEAT, SCRAPPED, HOT)


def test_effects_see_the_record_as_it_was() -> None:
    assert accepted(HEAT.decide(evolve(STANDING, fires=4), LIGHT, Fire())).effects == (OpenValve(4),)


def test_an_edge_that_changes_nothing_gives_the_very_same_record() -> None:
    assert accepted(HEAT.decide(STANDING, COOL, Moment())).record is STANDING


def test_a_guard_that_fails_answers_its_code_its_rule_and_what_was_found() -> None:
    decision = HEAT.decide(STANDING, LIGHT, Fire(water=Gauge.BROKEN))
    assert isinstance(decision, Refused)
    refusal = decision.refusal
    assert (refusal.code, refusal.rule, refusal.found) == (
        Answer.GAUGE_BROKEN,
        "The gauge shows water.",
        Gauge.BROKEN,
    )


def test_no_and_could_not_find_out_have_codes_of_their_own() -> None:
    assert refused(HEAT.decide(STANDING, LIGHT, Fire(water=Gauge.EMPTY))) is Answer.NO_WATER
    assert refused(HEAT.decide(STANDING, LIGHT, Fire(water=Gauge.BROKEN))) is Answer.GAUGE_BROKEN


def test_the_first_edge_names_the_refusal_whatever_the_others_would_say() -> None:
    second = Edge(LIGHT, COLD, SCRAPPED, guards=(pressure_is_low,))
    boiler = evolve(HEAT, edges=(*HEAT.edges, second))
    assert refused(boiler.decide(STANDING, LIGHT, Fire(water=Gauge.EMPTY, pressure=9))) is Answer.NO_WATER
    taken = accepted(boiler.decide(STANDING, LIGHT, Fire(water=Gauge.EMPTY, pressure=1)))
    assert taken.record.heat is SCRAPPED


def test_a_wrong_state_has_a_code_of_its_own() -> None:
    assert refused(HEAT.decide(evolve(STANDING, heat=HOT), LIGHT, Fire())) is Answer.HOT_ALREADY
    assert refused(HEAT.decide(evolve(STANDING, heat=SCRAPPED), LIGHT, Fire())) is Answer.SCRAP
    assert refused(HEAT.decide(evolve(STANDING, heat=SCRAPPED), COOL, Moment())) is Answer.SCRAP


def test_without_a_record_there_is_one_answer() -> None:
    assert refused(ENGINE_ROOM.decide(None, LIGHT, Fire())) is Answer.NO_BOILER
    assert refused(ENGINE_ROOM.decide(None, SCRAP, Moment())) is Answer.NO_BOILER


def test_what_is_over_may_answer_the_same_once_more() -> None:
    over = evolve(STANDING, heat=SCRAPPED)
    assert accepted(ENGINE_ROOM.decide(over, SCRAP, Moment())).record is over


def test_one_trigger_moves_every_machine_that_hears_it() -> None:
    decision = accepted(ENGINE_ROOM.decide(evolve(STANDING, whistle=BLOWING), LIGHT, Fire()))
    assert decision.record == Boiler(heat=HOT, whistle=QUIET, fires=1)
    assert [step.machine for step in decision.steps] == [HEAT, WHISTLE]


def test_a_machine_that_does_not_hear_the_trigger_keeps_its_slot() -> None:
    decision = accepted(ENGINE_ROOM.decide(evolve(STANDING, whistle=BLOWING), SCRAP, Moment()))
    assert decision.record.whistle is BLOWING


def test_the_first_refusal_wins_and_nothing_moves() -> None:
    assert refused(ENGINE_ROOM.decide(STANDING, LIGHT, Fire(water=Gauge.EMPTY, pressure=9))) is Answer.NO_WATER


@pytest.mark.parametrize("machines", [(HEAT, WHISTLE), (WHISTLE, HEAT)], ids=["asked_last", "asked_first"])
def test_a_refusal_that_moves_commits_its_own_slot_alone(machines: tuple[Machine[Boiler, Any], ...]) -> None:
    decision = evolve(ENGINE_ROOM, machines=machines).decide(STANDING, LIGHT, Fire(pressure=9))
    assert isinstance(decision, Answered)
    assert decision.refusal.code is Answer.OVERPRESSURE
    assert decision.record == Boiler(heat=COLD, whistle=BLOWING, fires=0)
    assert decision.effects == ()


def test_a_refusal_that_moves_says_which_rule_failed() -> None:
    decision = WHISTLE.decide(STANDING, LIGHT, Fire(pressure=9))
    assert isinstance(decision, Answered)
    assert decision.refusal.rule == "The pressure is low enough for another fire."


def test_only_a_record_that_is_over_is_replaced() -> None:
    assert refused(ENGINE_ROOM.decide(STANDING, BUILD, Permit())) is Answer.STANDS_ALREADY
    replaced = accepted(ENGINE_ROOM.decide(evolve(STANDING, heat=SCRAPPED, fires=7), BUILD, Permit()))
    assert replaced.record == STANDING


def test_a_living_record_is_replaced_where_that_is_declared() -> None:
    generous = evolve(ENGINE_ROOM, replaceable=lambda boiler: boiler.heat is COLD)
    assert accepted(generous.decide(evolve(STANDING, fires=7), BUILD, Permit())).record == STANDING
    assert refused(generous.decide(evolve(STANDING, heat=HOT), BUILD, Permit())) is Answer.STANDS_ALREADY


def test_a_beginning_has_guards_too() -> None:
    assert refused(ENGINE_ROOM.decide(None, BUILD, Permit(granted=False))) is Answer.NO_PERMIT


def test_a_record_begins_in_an_initial_state_or_not_at_all() -> None:
    crooked = evolve(ENGINE_ROOM.begins, creates=lambda _permit: evolve(STANDING, whistle=BLOWING))
    with pytest.raises(DeclarationError, match="whistle: a record begins as blowing"):
        evolve(ENGINE_ROOM, begins=crooked).decide(None, BUILD, Permit())


def test_no_machine_writes_into_the_slot_of_another() -> None:
    def blow(boiler: Boiler, _moment: Moment) -> Boiler:
        return evolve(boiler, whistle=BLOWING)

    nosy = evolve(
        HEAT,
        edges=(
            *(edge for edge in HEAT.edges if (edge.trigger, edge.sources) != (COOL, (HOT,))),
            Edge(COOL, HOT, COLD, assigns=blow),
        ),
    )
    room = evolve(ENGINE_ROOM, machines=(nosy, WHISTLE))
    with pytest.raises(DeclarationError, match="whistle: quiet is due, blowing was assigned"):
        room.decide(evolve(STANDING, heat=HOT), COOL, Moment())


def test_a_state_that_is_derived_is_held_to_its_promise() -> None:
    forgetful = evolve(HEAT, writes=lambda boiler, _heat: boiler)
    with pytest.raises(DeclarationError, match="heat: hot is due, cold was assigned"):
        forgetful.decide(STANDING, LIGHT, Fire())


def test_a_trigger_that_nobody_declared_is_a_mistake_in_the_program() -> None:
    with pytest.raises(KeyError):
        ENGINE_ROOM.decide(STANDING, Trigger("sing", Moment), Moment())
    with pytest.raises(KeyError):  # one of the same name would come with other facts
        HEAT.decide(STANDING, Trigger("cool", Permit), Permit())


def test_every_state_is_read_from_the_record() -> None:
    assert ENGINE_ROOM.states(STANDING) == {"heat": COLD, "whistle": QUIET}
    assert not ENGINE_ROOM.is_over(STANDING)
    assert ENGINE_ROOM.is_over(evolve(STANDING, heat=SCRAPPED))


def test_the_same_question_gets_the_same_answer() -> None:
    for fire in (Fire(), Fire(water=Gauge.EMPTY), Fire(pressure=9)):
        assert ENGINE_ROOM.decide(STANDING, LIGHT, fire) == ENGINE_ROOM.decide(STANDING, LIGHT, fire)


def test_a_refusal_is_narrowed_and_stays_the_same_code() -> None:
    refusal = there_is_water.refusal(STANDING, Fire(water=Gauge.EMPTY))
    assert refusal is not None
    narrowed = refusal.with_detail("empty", gauge="north").with_detail("dry", level=0)
    assert (narrowed.code, narrowed.detail, narrowed.more) == (Answer.NO_WATER, "dry", {"gauge": "north", "level": 0})
    assert refusal.detail is None


def test_a_guard_lists_its_codes() -> None:
    assert there_is_water.codes == (Answer.NO_WATER, Answer.GAUGE_BROKEN)
