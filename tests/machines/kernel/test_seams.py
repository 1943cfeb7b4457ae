"""A seam says, for each place where it can be cut, what the next start does there."""

from __future__ import annotations

import pytest

from ems_admin.machines.kernel import AfterCut, DeclarationError, Seam, SeamStep


def step(name: str, after_cut: AfterCut | None, because: str = "It can be entered again.") -> SeamStep:
    return SeamStep(name=name, changes="B0", after_cut=after_cut, because=because)


def test_what_follows_a_step_is_what_is_left_to_do() -> None:
    seam = Seam(
        name="move",
        summary="It is moved.",
        steps=(step("pack", AfterCut.ROLL_BACK), step("carry", AfterCut.GO_ON), step("unpack", None)),
    )
    assert [left.name for left in seam.after("pack")] == ["carry", "unpack"]
    assert seam.after("unpack") == ()


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ((step("pack", None),), "a seam has at least two steps"),
        ((step("pack", AfterCut.REST), step("pack", None)), "two steps are called pack"),
        ((step("pack", None), step("carry", None)), "nobody says what a start does after pack"),
        ((step("pack", AfterCut.REST), step("carry", AfterCut.GO_ON)), "carry ends the seam"),
        ((step("pack", AfterCut.REST, because=""), step("carry", None)), "pack gives no reason"),
        (
            (step("pack", AfterCut.GO_ON), step("carry", AfterCut.ROLL_BACK), step("unpack", None)),
            "a start goes on from pack, yet takes back what carry has added",
        ),
    ],
    ids=["one_step", "namesakes", "open_cut", "open_end", "no_reason", "back_after_forward"],
)
def test_an_unsound_seam_fails_at_import(steps: tuple[SeamStep, ...], fault: str) -> None:
    with pytest.raises(DeclarationError, match=fault):
        Seam(name="move", summary="It is moved.", steps=steps)
