"""The Admin's replacement, step by step: the handover, and the two ways of the updater, to the new Admin or back.

Wherever a walk is cut, the next entry goes on: it looks what is so already, and does the rest. The record tells the
place only as far as looking cannot: `walking.py`. Source: `replacement.md` 7.3, 7.4; `faults.md` F27, F30, F33, F34.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.kernel import AfterCut, Seam, SeamStep


def step(name: str, *, changes: str, because: str) -> SeamStep:
    """Read as: the step, what it changes, and why whoever comes next can go on from there."""
    return SeamStep(name=name, changes=changes, after_cut=AfterCut.GO_ON, because=because)


REPLACEMENT: Final = Seam(
    name="replacement",
    summary="The Admin hands its own replacement to an updater, and at no place is it unknown who acts next.",
    steps=(
        SeamStep(
            name="note_intent",
            changes="dispatch record",
            after_cut=AfterCut.REST,
            because="The operation still waits for its update, so nothing was started: the next resume goes on.",
        ),
        step(
            "hand_over",
            changes="B1",
            because="A launch was promised and no updater exists: it is created with the number of the attempt.",
        ),
        step(
            "create_updater",
            changes="updater",
            because="An updater that was created and never started is started.",
        ),
        step(
            "start_updater",
            changes="updater",
            because="An updater that was seen to run or to have run was launched: only the outcome is missing.",
        ),
        SeamStep(name="note_outcome", changes="dispatch record", after_cut=None, because="The attempt is settled."),
    ),
)

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

NUMBERS: Final[tuple[tuple[str, Seam, str], ...]] = (
    ("R1", REPLACEMENT, "note_intent"),
    ("R2", REPLACEMENT, "hand_over"),
    ("R3", REPLACEMENT, "create_updater"),
    ("R4", REPLACEMENT, "start_updater"),
    ("R5", REPLACEMENT, "note_outcome"),
    ("U1", WALK, "open_run"),
    ("U2", WALK, "claim_operation"),
    ("U3", WALK, "take_snapshot"),
    ("U4", WALK, "fence_predecessor"),
    ("U5", WALK, "stop_predecessor"),
    ("U6", WALK, "set_aside"),
    ("U7", WALK, "create_successor"),
    ("U8", WALK, "start_successor"),
    # Seeing that the new Admin is whole changes nothing by itself: what is durable of U9 is U10.
    ("U9", WALK, "verify_successor"),
    ("U10", WALK, "verify_successor"),
    ("U11", WALK, "name_successor"),
    ("U12", WALK, "unfence_successor"),
    ("U13", WALK, "remove_predecessor"),
    ("U14", WALK, "end_run"),
    ("U14", WALK, "retire"),
)
"""The numbers of the crash matrix, and the steps that they speak of. The steps of the way back have none."""
