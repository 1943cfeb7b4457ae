"""The acts that change more than one record or file: twelve seams, each step with what a start does after a cut there.

A step is durable before the next one begins. The runner performs them in this order and no other; the reconciler reads
the same declaration. Those of the Admin's replacement stand
in `replacement/seams.py`, those of an upgrade in `upgrade/seams.py`. Source: DESIGN 3; `seed 000` 5.3, 5.5.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import AfterCut, Seam, SeamStep, Table, row
from ems_admin.machines.records.config_commit import Change
from ems_admin.machines.replacement.seams import REPLACEMENT, WALK, WALK_BACK
from ems_admin.machines.upgrade.seams import ADMIN_UPDATE_BEGINNING, UPGRADE_BEGINNING, UPGRADE_WAY_BACK

GO_ON, ROLL_BACK, REST = AfterCut.GO_ON, AfterCut.ROLL_BACK, AfterCut.REST


def step(name: str, *, changes: str, after_cut: AfterCut | None = None, because: str) -> SeamStep:
    """Read as: the step, what it changes, and what a start does that finds it the last one done."""
    return SeamStep(name=name, changes=changes, after_cut=after_cut, because=because)


CONFIG_COMMIT: Final = Seam(
    name="config_commit",
    summary="One config and its secrets are replaced together, or neither is.",
    steps=(
        step(
            "note_intent",
            changes="config-commit intent",
            after_cut=ROLL_BACK,
            because="The live config is still the old one: nothing was written, so the intent is dropped.",
        ),
        step(
            "stage_credentials",
            changes="credentials.json",
            after_cut=ROLL_BACK,
            because="New secrets beside the old config belong to nobody: the old bytes are put back as they were.",
        ),
        step(
            "keep_replaced",
            changes="config history",
            after_cut=ROLL_BACK,
            because="What the history says of the old config stays true; only the secrets have to be put back.",
        ),
        step(
            "replace_config",
            changes="config.json",
            after_cut=GO_ON,
            because="The new config is live and its secrets are staged: what is missing is bookkeeping.",
        ),
        step(
            "keep_revision",
            changes="config history",
            after_cut=GO_ON,
            because="No accepted edit is missing in the history: what is left is the preview and the intent.",
        ),
        step(
            "consume_preview",
            changes="B0",
            after_cut=GO_ON,
            because="Everything has happened but the end of the intent.",
        ),
        step("delete_intent", changes="config-commit intent", because="Nothing is owed any more."),
    ),
)

ENDING: Final = Seam(
    name="abandon_or_supersede",
    summary="A Setup is ended: its operation first, then the workflow, then what it left behind.",
    steps=(
        step(
            "cancel_operation",
            changes="B1",
            after_cut=REST,
            because="An active Setup beside its own cancelled operation is a state that the console shows and leaves.",
        ),
        step(
            "end_workflow",
            changes="B0",
            after_cut=GO_ON,
            because="The workflow has lost its authority and owes its cleanup: the removals are performed.",
        ),
        step(
            "remove_artifacts",
            changes="workflow directory and B3",
            after_cut=GO_ON,
            because="Removing again finds what is left, and then the verdict is due.",
        ),
        step("note_verdict", changes="B0", because="The cleanup says what became of each artifact."),
    ),
)

SUCCESS: Final = Seam(
    name="success",
    summary="A healthy EMS makes its build known-good, then ends the operation and the workflow.",
    steps=(
        step(
            "note_known_good",
            changes="B5",
            after_cut=REST,
            because="The operation still waits for its health check, and only a resume asks for that again.",
        ),
        step(
            "complete_operation",
            changes="B1",
            after_cut=GO_ON,
            because="An active Setup whose own operation is completed is itself completed.",
        ),
        step(
            "complete_workflow",
            changes="B0",
            after_cut=GO_ON,
            because="The upgrade context of an operation that is over has nothing left to tell.",
        ),
        step(
            "clear_upgrade_context",
            changes="B6",
            after_cut=REST,
            because="Intents live in memory: the restart that finds this place has none.",
        ),
        step("retire_intents", changes="setup intents", because="No confirmation outlives its workflow."),
    ),
)

WRITE: Final = Seam(
    name="write",
    summary="A generated config comes into being: the bytes, what they were made from, and whose they are.",
    steps=(
        step(
            "write_config",
            changes="B2",
            after_cut=REST,
            because="Bytes that no workflow has bound stand in nobody's way, and the next write replaces them.",
        ),
        step(
            "write_metadata",
            changes="B2a",
            after_cut=REST,
            because="The pair is complete and still unbound: the preview is unspent, and writing again succeeds.",
        ),
        step("bind_artifacts", changes="B0", because="From here on the workflow owns the pair."),
    ),
)

CANCEL: Final = Seam(
    name="cancel",
    summary="An operation is cancelled, and what its upgrade had settled goes with it.",
    steps=(
        step(
            "cancel_operation",
            changes="B1",
            after_cut=GO_ON,
            because="A context whose own operation is cancelled can never be resumed: it is cleared.",
        ),
        step("clear_upgrade_context", changes="B6", because="Nothing of the operation is left to go on from."),
    ),
)

RELEASE: Final = Seam(
    name="release",
    summary="Stale records are set aside: each is copied, the copies are listed, and only then do the records go.",
    steps=(
        step(
            "back_up",
            changes="workflow-recovery",
            after_cut=REST,
            because="Copies without a list are evidence of nothing done: every record is still there, and is stale.",
        ),
        step(
            "write_manifest",
            changes="recovery-manifest.json",
            after_cut=REST,
            because="What is still there is as stale as before, and another release copies and lists it anew.",
        ),
        step("unlink", changes="the named records", because="What was stale stands in nobody's way any more."),
    ),
)

SEAMS: Final = (
    CONFIG_COMMIT,
    ENDING,
    SUCCESS,
    WRITE,
    CANCEL,
    REPLACEMENT,
    WALK,
    WALK_BACK,
    UPGRADE_BEGINNING,
    ADMIN_UPDATE_BEGINNING,
    UPGRADE_WAY_BACK,
    RELEASE,
)


class Live(StrEnum):
    """What a file on disk is, compared with both hashes that the intent noted for it."""

    OLD = "old"
    NEW = "new"
    SAME = "same"
    """It is both: the commit did not mean to change this file."""
    NEITHER = "neither"
    UNREADABLE = "unreadable"


class Settlement(StrEnum):
    """What a start does with the intent that it finds."""

    GO_FORWARD = "go_forward"
    ROLL_BACK = "roll_back"
    UNPROVABLE = "unprovable"
    """`config_commit_unprovable`: shown, nothing is written, and only safe recovery settles it."""


@frozen
class CommitStanding:
    """What the two files of a config commit are."""

    config: Live
    credentials: Live


# Secrets are staged before the config is replaced. So a new config beside old secrets was not made by this commit, and
# a file that neither side of the intent knows was changed by somebody else: neither is touched.
CONFIG_COMMIT_STANDING: Final = Table[CommitStanding, Settlement](
    name="config_commit_standing",
    asks=CommitStanding,
    rows=(
        row(Settlement.UNPROVABLE, config={Live.NEITHER, Live.UNREADABLE}),
        row(Settlement.UNPROVABLE, credentials={Live.NEITHER, Live.UNREADABLE}),
        row(Settlement.ROLL_BACK, config=Live.OLD),
        row(Settlement.GO_FORWARD, credentials={Live.NEW, Live.SAME}),
        row(Settlement.ROLL_BACK, config=Live.SAME),
        row(Settlement.UNPROVABLE),
    ),
)


def live(found: str | None, change: Change) -> Live:
    """Compare the SHA-256 of a file (`None` when absent) with what the intent noted for it."""
    if change.old == change.new:
        return Live.SAME if found == change.new else Live.NEITHER
    return {change.new: Live.NEW, change.old: Live.OLD}.get(found, Live.NEITHER)
