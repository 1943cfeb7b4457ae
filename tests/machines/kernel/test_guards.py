"""What makes a guard: a rule in one sentence, and an answer to each verdict."""

from __future__ import annotations

from typing import Any

import pytest

from ems_admin.machines.kernel import HOLDS, Accepted, DeclarationError, Edge, Refused, guard
from tests.machines.kernel.boiler import COLD, HOT, Answer, Boiler, Fire, Gauge, built, there_is_water
from tests.machines.kernel.test_soundness import KICK, Never, answering, nobody_may, plus


def test_the_docstring_of_a_guard_is_its_rule() -> None:
    with pytest.raises(DeclarationError, match="the docstring of a guard is its rule, one sentence"):
        guard(Answer.SCRAP)(lambda _boiler, _fire: True)


def test_a_guard_answers_every_verdict() -> None:
    with pytest.raises(DeclarationError, match="no answer to empty; no answer to broken"):

        @guard({Gauge.FULL: HOLDS})
        def water_is_there(_boiler: Boiler, fire: Fire) -> Gauge:
            """There is water."""
            return fire.water


def test_a_guard_refuses_something() -> None:
    with pytest.raises(DeclarationError, match="a guard that refuses nothing is none"):

        @guard({Never.NEVER: HOLDS})
        def anything_goes(_boiler: Boiler, _fire: Fire) -> Never:
            """Anything goes."""
            return Never.NEVER


@pytest.mark.parametrize(
    "answers", [{}, {Never.NEVER: Answer.SCRAP, Gauge.EMPTY: Answer.NO_WATER}], ids=["none", "of two enums"]
)
def test_a_guard_answers_the_verdicts_of_one_enum(answers: dict[Any, Answer | None]) -> None:
    def water_is_there(_boiler: Boiler, fire: Fire) -> Gauge:
        """There is water."""
        return fire.water

    with pytest.raises(DeclarationError, match="a guard answers the verdicts of one enum"):
        guard(answers)(water_is_there)


def test_a_rule_that_never_holds_is_a_refusal_with_several_codes_and_shadows_nothing() -> None:
    machine = plus(
        Edge(KICK, COLD, HOT, guards=(nobody_may,)),
        Edge(KICK, COLD, COLD, guards=(there_is_water,)),
        otherwise=answering(KICK, Answer.SCRAP),
    )
    assert isinstance(machine.decide(built(None), KICK, Fire()), Accepted)
    refused = machine.decide(built(None), KICK, Fire(water=Gauge.EMPTY))
    assert isinstance(refused, Refused)
    assert refused.refusal.code is Answer.SCRAP
