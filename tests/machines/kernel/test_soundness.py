"""What the kernel does not let pass: each rule, broken once, at the moment of declaration."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

import pytest
from attrs import evolve, frozen

from ems_admin.machines.kernel import (
    Beginning,
    DeclarationError,
    Edge,
    Machine,
    Regions,
    Trigger,
    guard,
    soundness,
)
from ems_admin.machines.kernel.soundness import RULES
from tests.machines.kernel.boiler import (
    BUILD,
    COLD,
    COOL,
    ENGINE_ROOM,
    HEAT,
    HOT,
    LIGHT,
    SCRAP,
    SCRAPPED,
    WHISTLE,
    Answer,
    Boiler,
    Fire,
    Gauge,
    Heat,
    Moment,
    OpenValve,
    Permit,
    built,
    pressure_is_low,
    there_is_water,
)


class ForeignAnswer(StrEnum):
    """Another vocabulary, in which one word is spelt alike."""

    NO_WATER = "no_water"


@guard(ForeignAnswer.NO_WATER)
def there_is_foreign_water(_boiler: Boiler, fire: Fire) -> bool:
    """There is water elsewhere."""
    return fire.water is Gauge.FULL


class OtherHeat(StrEnum):
    """Another enum, whose words are spelt alike."""

    COLD = "cold"
    HOT = "hot"


class Never(StrEnum):
    """One verdict, and it is no."""

    NEVER = "never"


@guard({Never.NEVER: Answer.SCRAP})
def nobody_may(_boiler: Boiler, _facts: object) -> Never:
    """Somebody may."""
    return Never.NEVER


KICK: Final = Trigger("kick", Fire)
NAMESAKE: Final = Trigger("light", Fire)
OTHER_BUILD: Final = Trigger("build", Moment)


def plus(*edges: Edge[Boiler, Heat], **changes: Any) -> Machine[Boiler, Heat]:
    """Add edges to the boiler."""
    return evolve(HEAT, edges=(*HEAT.edges, *edges), **changes)


def answering(trigger: Trigger[Any], answer: Any) -> dict[Trigger[Any], Any]:
    """Declare what is answered to a trigger in a wrong state."""
    return {**HEAT.otherwise, trigger: answer}


UNSOUND: Final[dict[str, Callable[[], object]]] = {
    "hot cannot be reached": lambda: evolve(HEAT, edges=HEAT.edges[1:], otherwise=answering(LIGHT, Answer.SCRAP)),
    "scrapped is a dead end, yet not final": lambda: evolve(HEAT, final=()),
    "scrapped is final, yet light has an edge from it": lambda: plus(Edge(LIGHT, SCRAPPED, COLD)),
    "scrapped is final, yet kick has an edge from it": lambda: plus(
        Edge(KICK, SCRAPPED, SCRAPPED, assigns=lambda boiler, _fire: evolve(boiler, fires=0)),
        otherwise=answering(KICK, Answer.SCRAP),
    ),
    "cool from hot to scrapped is shadowed": lambda: plus(Edge(COOL, HOT, SCRAPPED)),
    "light from cold to scrapped is shadowed": lambda: plus(Edge(LIGHT, COLD, SCRAPPED, guards=(there_is_water,))),
    # DESIGN 2: a final state answers once more, and promises nothing new.
    "scrapped is final, yet scrap has an edge from it": lambda: evolve(
        HEAT,
        edges=(*HEAT.edges[:-1], Edge(SCRAP, SCRAPPED, SCRAPPED, effects=lambda _boiler, _moment: (OpenValve(1),))),
    ),
    # Neither edge alone shadows the third; both together do.
    "kick from cold to scrapped is shadowed": lambda: plus(
        Edge(KICK, COLD, HOT, guards=(there_is_water,)),
        Edge(KICK, COLD, COLD, unless=(there_is_water,)),
        Edge(KICK, COLD, SCRAPPED, guards=(pressure_is_low,)),
        otherwise=answering(KICK, Answer.SCRAP),
    ),
    "kick to scrapped wants one rule to hold and to fail": lambda: plus(
        Edge(KICK, COLD, HOT, guards=(there_is_water,)),
        Edge(KICK, COLD, SCRAPPED, guards=(pressure_is_low,), unless=(pressure_is_low,)),
        otherwise=answering(KICK, Answer.SCRAP),
    ),
    "cold is a dead end, yet not final": lambda: evolve(
        HEAT,
        initial=(COLD, HOT),
        edges=(
            Edge(LIGHT, COLD, HOT, guards=(nobody_may,)),
            *HEAT.edges[1:3],
            Edge(SCRAP, HOT, SCRAPPED),
            Edge(SCRAP, SCRAPPED, SCRAPPED),
        ),
        otherwise=answering(SCRAP, {COLD: Answer.SCRAP}),
    ),
    "scrapped cannot be reached": lambda: evolve(
        HEAT,
        edges=(
            *HEAT.edges[:3],
            Edge(SCRAP, (COLD, HOT), SCRAPPED, guards=(nobody_may,)),
            Edge(SCRAP, SCRAPPED, SCRAPPED),
        ),
    ),
    "kick has an edge from nowhere": lambda: plus(Edge(KICK, (), HOT), otherwise=answering(KICK, Answer.SCRAP)),
    "OtherHeat.cold is none of its states": lambda: plus(
        Edge(KICK, COLD, OtherHeat.COLD),  # type: ignore[arg-type]
        otherwise=answering(KICK, Answer.SCRAP),
    ),
    "OtherHeat.hot is none of its states": lambda: evolve(
        HEAT, otherwise=answering(LIGHT, {OtherHeat.HOT: Answer.HOT_ALREADY, SCRAPPED: Answer.SCRAP})
    ),
    "kick from cold can be refused without a code": lambda: plus(
        Edge(KICK, COLD, HOT, unless=(pressure_is_low,)), otherwise=answering(KICK, Answer.SCRAP)
    ),
    "kick has neither edge nor code in hot": lambda: plus(Edge(KICK, COLD, HOT)),
    "light has both edge and code in hot": lambda: plus(Edge(LIGHT, HOT, HOT)),
    "scrap has an edge in every state, its code can never be given": lambda: evolve(
        HEAT, otherwise=answering(SCRAP, Answer.SCRAP)
    ),
    "kick is declared, yet has no edge": lambda: evolve(HEAT, otherwise=answering(KICK, Answer.SCRAP)),
    "two triggers are called light": lambda: plus(
        Edge(NAMESAKE, COLD, HOT), otherwise=answering(NAMESAKE, Answer.SCRAP)
    ),
    "there_is_foreign_water answers no_water, which is not declared": lambda: plus(
        Edge(KICK, COLD, HOT, guards=(there_is_foreign_water,)), otherwise=answering(KICK, Answer.SCRAP)
    ),
    "kick answers no_water, which is not declared": lambda: plus(
        Edge(KICK, COLD, HOT, answers=ForeignAnswer.NO_WATER), otherwise=answering(KICK, Answer.SCRAP)
    ),
    "cool answers no_water, which is not declared": lambda: evolve(
        HEAT, otherwise=answering(COOL, ForeignAnswer.NO_WATER)
    ),
    "light begins the record, yet heat hears it": lambda: evolve(
        ENGINE_ROOM, begins=Beginning(LIGHT, creates=built, otherwise=Answer.STANDS_ALREADY)
    ),
    "two triggers are called build": lambda: evolve(
        ENGINE_ROOM,
        machines=(plus(Edge(OTHER_BUILD, COLD, HOT), otherwise=answering(OTHER_BUILD, Answer.SCRAP)), WHISTLE),
    ),
    "engine_room has no machine": lambda: evolve(ENGINE_ROOM, machines=()),
    "two machines are called heat": lambda: evolve(ENGINE_ROOM, machines=(HEAT, evolve(WHISTLE, name="heat"))),
    "engine_room answers no_water, which is not declared": lambda: evolve(ENGINE_ROOM, absent=ForeignAnswer.NO_WATER),
}


@pytest.mark.parametrize("fault", UNSOUND)
def test_an_unsound_declaration_fails_at_import(fault: str) -> None:
    with pytest.raises(DeclarationError, match=fault):
        UNSOUND[fault]()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_rule_is_needed_by_some_case(rule: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the rule, some unsound declaration passes, or is refused with other words."""
    monkeypatch.setattr(soundness, "RULES", tuple(kept for kept in RULES if kept is not rule))
    assert any(not _is_refused(make, fault) for fault, make in UNSOUND.items())


def _is_refused(make: Callable[[], object], fault: str) -> bool:
    try:
        make()
    except DeclarationError as error:
        return fault in str(error)
    return False


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(DeclarationError) as caught:
        evolve(HEAT, final=(), otherwise=answering(KICK, Answer.SCRAP))
    assert str(caught.value) == "heat: scrapped is a dead end, yet not final; kick is declared, yet has no edge"


def test_an_idempotent_answer_may_stay_in_a_final_state() -> None:
    assert any(SCRAPPED in edge.sources for edge in HEAT.edges)


@frozen
class Visitor:
    """Facts that no trigger of the boiler comes with."""

    name: str


@guard(Answer.SCRAP)
def visitor_is_known(_boiler: Boiler | None, visitor: Visitor) -> bool:
    """The visitor has a name."""
    return visitor.name != ""


def mypy_refuses(visitor: Visitor, permit: Permit) -> None:
    """Never run: an ignore that is not needed fails `mypy --strict`, so each of these lines *is* an error."""
    HEAT.decide(built(None), LIGHT, visitor)  # type: ignore[misc]
    ENGINE_ROOM.decide(None, LIGHT, permit)  # type: ignore[misc]
    Edge(LIGHT, COLD, HOT, guards=(visitor_is_known,))  # type: ignore[misc]
    Beginning(BUILD, guards=(visitor_is_known,), creates=built, otherwise=Answer.SCRAP)  # type: ignore[misc]
    Regions[Visitor](name="x", begins=ENGINE_ROOM.begins, absent=Answer.SCRAP, machines=())  # type: ignore[arg-type]
