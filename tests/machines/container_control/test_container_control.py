"""Who may act on a container."""

from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import (
    CONTAINER_CONTROL,
    GRANTED,
    ContainerAction,
    Control,
    Holder,
    control_refusal,
)
from tests.machines.verdicts import questions, replay, texts, unused


def test_an_act_on_a_container_is_answered_as_written() -> None:
    """F29."""
    (path,) = texts(__file__)
    text = path.read_text(encoding="utf-8")
    assert replay(text, Control, lambda asked: str(CONTAINER_CONTROL.classify(asked))) == text
    assert not unused(CONTAINER_CONTROL, list(questions(text, Control)))


def test_what_is_not_granted_is_refused_by_its_code() -> None:
    for holder in Holder:
        for action in ContainerAction:
            asked = Control(holder, action)
            answer, refusal = CONTAINER_CONTROL.classify(asked), control_refusal(asked)
            assert (refusal is None) == (answer in GRANTED)
            assert refusal is None or refusal.code is Code(answer)
