"""Every code has a sentence that says what to do, and a way on."""

import re

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions
from ems_admin.machines.refusals import REFUSALS, Action, sentence

PATHS = re.compile(r"(?<![\w`])/(?:etc|var|home|opt|tmp|usr|state|config|data|admin)\b|\.json\b|\.env\b")
JARGON = re.compile(
    r"\bB[0-8]a?\b|\bW[1-9]\b|transition|workflow|fingerprint|operation_id|digest|errno|sha256", re.IGNORECASE
)


def declared() -> list[Action]:
    return [value for value in vars(actions).values() if isinstance(value, Action)]


@pytest.mark.parametrize("code", Code)
def test_a_refusal_tells_a_person_what_to_do(code: Code) -> None:
    told = sentence(code)
    assert told.message[0].isupper()
    assert told.message.endswith(".")
    assert len(told.message) <= 220
    assert not PATHS.search(told.message), "no place on the machine"
    assert not JARGON.search(told.message), "no word that only a developer knows"


@pytest.mark.parametrize("code", Code)
def test_nobody_is_left_without_a_way_on(code: Code) -> None:
    """F45."""
    ways = sentence(code).next_actions
    assert ways
    assert len({way.action for way in ways}) == len(ways)


def test_no_two_codes_say_the_same() -> None:
    messages = [told.message for told in REFUSALS.values()]
    assert len(set(messages)) == len(messages)


def test_every_declared_action_is_offered_by_some_refusal() -> None:
    offered = {way for told in REFUSALS.values() for way in told.next_actions}
    assert [way.action for way in declared() if way not in offered] == []


def test_an_action_has_one_word_and_the_words_of_a_button() -> None:
    words = [way.action for way in declared()]
    assert len(set(words)) == len(words)
    for way in declared():
        assert re.fullmatch(r"[a-z_]+", way.action)
        assert way.label[0].isupper()
        assert not way.label.endswith(".")
        assert way.path.startswith("/api/")
