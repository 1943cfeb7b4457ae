"""What a switch would do, reset and preserve."""

from ems_admin.machines.lifecycle.switch import (
    SWITCH,
    WILL_PRESERVE,
    WILL_RESET,
    Scope,
    Switch,
    SwitchAction,
    ends_something,
)
from tests.machines.verdicts import questions, replay, texts, unused


def test_a_switch_does_what_is_written() -> None:
    (path,) = texts(__file__)
    text = path.read_text(encoding="utf-8")
    assert replay(text, Switch, lambda asked: str(SWITCH.classify(asked))) == text
    assert not unused(SWITCH, list(questions(text, Switch)))


def test_only_what_ends_something_asks_for_a_confirmation() -> None:
    ending = {SwitchAction.DISCARD_GUIDED_SETUP, SwitchAction.CANCEL_GUIDED_UPGRADE}
    assert {action for action in SwitchAction if ends_something(action)} == ending


def test_nothing_is_ever_both_reset_and_preserved() -> None:
    reset = {scope for scopes in WILL_RESET.values() for scope in scopes}
    assert reset.isdisjoint(WILL_PRESERVE)
    assert reset | set(WILL_PRESERVE) == set(Scope)
