"""The two ways of an updater, step by step: from the claim to the new Admin, and back to the old one.

Wherever one is cut, the next entry goes on: it looks what is so already, and does the rest. The record tells the place
only as far as looking cannot: `walking.py`. Source: `replacement.md` 7.4; `faults.md` F27, F30, F33, F34.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.kernel import AfterCut, Seam, SeamStep


def step(name: str, *, changes: str, because: str) -> SeamStep:
    """Read as: the step, what it changes, and why the next entry can go on from there."""
    return SeamStep(name=name, changes=changes, after_cut=AfterCut.GO_ON, because=because)


END: Final = step("end_run", changes="run record", because="The walk is over: only the updater has still to retire.")
RETIRE: Final = SeamStep(
    name="retire", changes="updater", after_cut=None, because="Nothing starts the updater again, and it is evidence."
)

WALK: Final = Seam(
    name="replacement_walk",
    summary="The updater puts the new Admin in the place of the old one. Until it is verified, a failure leads back.",
    steps=(
        step(
            "open_run",
            changes="run record",
            because="Nothing is touched and nothing claimed: the entry is counted, and the claim is tried.",
        ),
        step(
            "claim_operation",
            changes="B1, then the run record",
            because="The claim of the same attempt is taken once more, and no cancel comes between.",
        ),
        step(
            "take_snapshot",
            changes="run record",
            because="All that a way back will need is durable, and the old Admin still runs as before.",
        ),
        step(
            "fence_predecessor",
            changes="old Admin",
            because="The old Admin runs, and no start of the host brings it back beside a new one any more.",
        ),
        step(
            "stop_predecessor",
            changes="old Admin",
            because="Nobody serves, and it is durable who acts: the updater is started again until one Admin runs.",
        ),
        step("set_aside", changes="old Admin", because="The name is free, and the old Admin is found by its id."),
        step(
            "create_successor",
            changes="new Admin, then the run record",
            because="The new Admin is found by the attempt that it was created for, noted or not.",
        ),
        step("start_successor", changes="new Admin", because="It runs already, and is looked at from outside."),
        step(
            "verify_successor",
            changes="run record",
            because="From here on there is only forward: the new Admin serves, and what is left is tidying up.",
        ),
        step("name_successor", changes="image pin", because="The next start of the host finds the new Admin."),
        step("unfence_successor", changes="new Admin", because="The engine keeps the new Admin alive from now on."),
        step(
            "remove_predecessor", changes="old Admin", because="One Admin is left; that the walk is over is not noted."
        ),
        END,
        RETIRE,
    ),
)

WALK_BACK: Final = Seam(
    name="replacement_walk_back",
    summary="The old Admin runs again under its own name, and only when exactly its image runs B1 says what happened.",
    steps=(
        step(
            "note_failure",
            changes="run record",
            because="What went wrong is durable, and no entry turns round again.",
        ),
        step("remove_successor", changes="new Admin", because="Name and address are free for the old Admin."),
        step(
            "restore_predecessor",
            changes="old Admin and image pin",
            because="The old Admin serves, and the next start of the host finds it: that is seen once more and noted.",
        ),
        step("note_back", changes="run record", because="One Admin runs, and B1 has still to be told."),
        step(
            "fail_operation", changes="B1", because="The failure is told with its code; telling it again moves nothing."
        ),
        END,
        RETIRE,
    ),
)

UPDATER_NUMBERS: Final[tuple[tuple[str, str], ...]] = (
    ("U1", "open_run"),
    ("U2", "claim_operation"),
    ("U3", "take_snapshot"),
    ("U4", "fence_predecessor"),
    ("U5", "stop_predecessor"),
    ("U6", "set_aside"),
    ("U7", "create_successor"),
    ("U8", "start_successor"),
    # Seeing that it is whole changes nothing by itself: what is durable of U9 is U10.
    ("U9", "verify_successor"),
    ("U10", "verify_successor"),
    ("U11", "name_successor"),
    ("U12", "unfence_successor"),
    ("U13", "remove_predecessor"),
    ("U14", "end_run"),
    ("U14", "retire"),
)
"""The numbers of the crash matrix, and the steps of `WALK` that they speak of."""

LAUNCH_NUMBERS: Final[tuple[tuple[str, str], ...]] = (
    ("R1", "note_intent"),
    ("R2", "hand_over"),
    ("R3", "create_updater"),
    ("R4", "start_updater"),
    ("R5", "note_outcome"),
)
"""The same for the handover, the seam `replacement`."""
