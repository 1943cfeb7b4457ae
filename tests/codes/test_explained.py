"""Every code of the catalogue is explained on the command line, and every way on that is open leads to a route."""

from typing import Final

import pytest
from click.testing import CliRunner

from ems_admin.app import main
from ems_admin.http.routes import TABLE
from ems_admin.http.shown.ways import ways_on
from ems_admin.machines.codes import Code
from ems_admin.machines.refusals import REFUSALS, sentence
from ems_admin.machines.render.answered import who_answers

ROUTES: Final = {(str(route.method), route.path) for route in TABLE}


@pytest.mark.parametrize("code", Code)
def test_a_code_is_explained(code: Code) -> None:
    explained = CliRunner().invoke(main, ("explain", code), env={"COLUMNS": "240"})
    assert explained.exit_code == 0, explained.output
    told = sentence(code)
    lines = [line.strip() for line in explained.output.splitlines()]
    assert lines[0] == code
    assert told.message in lines
    ways = {" ".join(line.split()) for line in lines}
    assert {f"{way.label} {way.method} {way.path}" for way in told.next_actions} <= ways
    answering = {answer.entry.name for answer in who_answers(code)}
    named = {line.split()[0] for line in lines[lines.index("Who answers it") + 1 :] if line}
    assert answering <= named or not answering
    assert answering or named == {"No"}


@pytest.mark.parametrize("code", Code)
def test_an_answer_names_no_way_without_a_route(code: Code) -> None:
    """`faults.md` F45: nobody is sent to a 404, and nobody is left without a way on."""
    shown = ways_on(sentence(code).next_actions)
    assert shown
    assert {(str(way.method), way.path) for way in shown} <= ROUTES


def test_every_way_on_that_a_refusal_names_has_its_route() -> None:
    nowhere = {
        way.action
        for told in REFUSALS.values()
        for way in told.next_actions
        if (str(way.method), way.path) not in ROUTES
    }
    assert nowhere == set()
