"""What a durable write is called: its number, the record or file that it changes, and the step of a seam that it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ems_admin.machines.kernel import Seam
from ems_admin.machines.replacement.seams import NUMBERS, REPLACEMENT, WALK, WALK_BACK
from ems_admin.machines.seams import CANCEL, CONFIG_COMMIT, ENDING, RELEASE, SUCCESS, WRITE
from ems_admin.machines.upgrade.seams import ADMIN_UPDATE_BEGINNING, UPGRADE_BEGINNING, UPGRADE_WAY_BACK
from tests.crashes.stories import Story
from tests.crashes.writes import Write

RECORDS: Final = {
    "state/guided-setup-workflow.json": "B0",
    "state/pending-transition.json": "B1",
    "state/.admin-deployment.json": "B3",
    "state/selected-release.json": "B4",
    "state/known-good-system-build.json": "B5",
    "state/guided-upgrade-context.json": "B6",
    "state/pending-admin-update.json": "B7",
    "state/replacement-dispatch.json": "dispatch record",
    "state/replacement-run.json": "run record",
    "state/config-commit.json": "intent of the config commit",
}
SHORTER: Final = (
    (re.compile(r"[0-9a-f]{64}\.json"), "REVISION.json"),
    (re.compile(r"/[A-Za-z0-9_-]{43}"), "/WORKFLOW"),
    (re.compile(r"\.[0-9a-f]{16}\.kept"), ".COMMIT.kept"),
    (re.compile(r"\d{8}T\d{6}Z"), "TIME"),
)
KINDS: Final = {
    "remove": "remove ",
    "rename": "rename to ",
    "folders": "make ",
    "modes": "mode of ",
    "engine": "engine: ",
}

STEPS: Final[tuple[tuple[Seam, Mapping[str, str]], ...]] = (
    (
        CONFIG_COMMIT,
        {
            "intent of the config commit": "note_intent",
            r"config/\.credentials\.json.*kept": "stage_credentials",
            "config/credentials.json": "stage_credentials",
            r"backups/history/(found/.*|commits/.*-found\.json)": "keep_replaced",
            "config/config.json": "replace_config",
            r"backups/history/(applied/.*|commits/.*-applied\.json)": "keep_revision",
            "consume_preview": "consume_preview",
            r"remove .*kept": "delete_intent",
            "remove intent of the config commit": "delete_intent",
        },
    ),
    (
        WRITE,
        {
            ".*/generated/config.json": "write_config",
            ".*/generated/(config.meta|credentials).json": "write_metadata",
            "bind_written": "bind_artifacts",
        },
    ),
    (
        CANCEL,
        {"cancel": "cancel_operation", "remove B6": "clear_upgrade_context"},
    ),
    (
        ENDING,
        {
            "cancel": "cancel_operation",
            "abandon": "end_workflow",
            "supersede": "end_workflow",
            "remove workflows/.*": "remove_artifacts",
            "remove B3": "remove_artifacts",
            "cleanup_ran": "note_verdict",
        },
    ),
    (
        SUCCESS,
        {
            "B5": "note_known_good",
            "healthchecked": "complete_operation",
            "complete": "complete_workflow",
            "remove B6": "clear_upgrade_context",
        },
    ),
    (
        RELEASE,
        {
            ".*/recovery-manifest.json": "write_manifest",
            "state/workflow-recovery/.*": "back_up",
            "remove (B.|dispatch record)": "unlink",
        },
    ),
    (
        ADMIN_UPDATE_BEGINNING,
        {"start": "name_operation", "begin": "begin_operation"},
    ),
    (
        UPGRADE_BEGINNING,
        {"note_context": "note_context", "begin": "begin_operation"},
    ),
    (
        UPGRADE_WAY_BACK,
        {
            "take_back_migration": "take_back_migration",
            "config/config.json": "restore_config",
        },
    ),
    (
        REPLACEMENT,
        {
            "begin_dispatch": "note_intent",
            "intend": "note_intent",
            "hand_over": "hand_over",
            "engine: create updater": "create_updater",
            "engine: start updater": "start_updater",
            "launched": "note_outcome",
        },
    ),
    (
        WALK,
        {
            "open": "open_run",
            "claim_admin_update": "claim_operation",
            "claim_taken": "claim_operation",
            "snapshot_taken": "take_snapshot",
            "engine: fence": "fence_predecessor",
            "engine: stop old admin": "stop_predecessor",
            "engine: set aside": "set_aside",
            "engine: create new admin": "create_successor",
            "successor_created": "create_successor",
            "engine: start new admin": "start_successor",
            "successor_verified": "verify_successor",
            "engine: pin new admin": "name_successor",
            "engine: unfence new admin": "unfence_successor",
            "engine: remove old admin": "remove_predecessor",
            "end": "end_run",
            "engine: retire": "retire",
        },
    ),
    (
        WALK_BACK,
        {
            "walk_failed": "note_failure",
            "engine: remove new admin": "remove_successor",
            "engine: (name|start|unfence) old admin": "restore_predecessor",
            "predecessor_is_back": "note_back",
            "mark_failed": "fail_operation",
        },
    ),
)
"""By trigger, or else by what is changed: the step of the seam."""


def file_of(write: Write) -> str:
    """Name what a write changes."""
    name = RECORDS.get(write.name, write.name.removeprefix("/"))
    for pattern, word in SHORTER:
        name = pattern.sub(word, name)
    return KINDS.get(write.kind, "") + name


def step_of(story: Story, write: Write) -> tuple[Seam, str] | None:
    """Give the step of a seam that a write is, or belongs to."""
    called = (*write.triggers, file_of(write))
    for seam, steps in STEPS:
        if seam in story.seams:
            for pattern, step in steps.items():
                if any(re.fullmatch(pattern, name) for name in called):
                    return seam, step
    return None


def number_of(story: Story, write: Write, otherwise: str) -> str:
    """Give the number of a write: one of the replacement's own, or its place in its workflow."""
    own = dict.fromkeys(number for number, seam, step in NUMBERS if step_of(story, write) == (seam, step))
    return ", ".join(own) or otherwise
