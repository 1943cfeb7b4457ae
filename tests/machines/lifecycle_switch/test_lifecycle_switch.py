"""What a switch would do, what refuses it, and what it would reset and preserve."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table
from ems_admin.machines.lifecycle.door import DOOR, Doorstep
from ems_admin.machines.lifecycle.switch import (
    CONFIRMATION,
    OBSTACLE,
    SWITCH,
    UNNAMED_BECAUSE,
    WILL_PRESERVE,
    WILL_RESET,
    Scope,
    Switch,
    SwitchAction,
    Wanted,
    Weighed,
    ends_something,
    met_by_a_switch,
)
from ems_admin.machines.workflow_lifecycle import UNNAMED
from tests.machines.verdicts import questions, replay, unused

HERE = Path(__file__).parent
TOLD: list[tuple[str, Table[Any, Any], type]] = [
    ("actions", SWITCH, Switch),
    ("obstacles", OBSTACLE, Wanted),
    ("confirmation", CONFIRMATION, Weighed),
    ("door", DOOR, Doorstep),
]


@pytest.mark.parametrize(("name", "table", "asks"), TOLD, ids=[name for name, _, _ in TOLD])
def test_a_switch_does_what_is_written(name: str, table: Table[Any, Any], asks: type) -> None:
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    say: Callable[[Any], str] = lambda asked: str(table.classify(asked))  # noqa: E731  # one line, twice used
    assert replay(text, asks, say) == text
    assert not unused(table, list(questions(text, asks)))


def test_only_what_resets_something_holds_the_site() -> None:
    ending = {SwitchAction.DISCARD_GUIDED_SETUP, SwitchAction.CANCEL_GUIDED_UPGRADE}
    assert {action for action in SwitchAction if ends_something(action)} == ending


def test_work_in_the_way_has_the_codes_of_a_switch() -> None:
    """Seed 000 7.3: a Setup mutation is named by itself, every other work as one."""
    assert met_by_a_switch(Code.SETUP_OPERATION_IN_PROGRESS) is Code.SETUP_OPERATION_IN_PROGRESS
    for other in (Code.WORK_IN_PROGRESS, Code.MUTATION_IN_PROGRESS, Code.TRANSITION_WORKER_ACTIVE):
        assert met_by_a_switch(other) is Code.WORKFLOW_OPERATION_IN_PROGRESS


def test_every_way_not_to_own_an_operation_has_its_detail() -> None:
    assert set(UNNAMED_BECAUSE) == UNNAMED


def test_nothing_is_ever_both_reset_and_preserved() -> None:
    reset = {scope for scopes in WILL_RESET.values() for scope in scopes}
    assert reset.isdisjoint(WILL_PRESERVE)
    assert reset | set(WILL_PRESERVE) == set(Scope)
