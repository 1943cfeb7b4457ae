"""Who owns the console, and what recovery sets aside."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

LIFECYCLE: Final = {
    Code.WORKFLOW_SWITCH_REQUIRED: say(
        "Something else is in progress here. See what a switch would end and what it would keep, then confirm it.",
        to.PREVIEW_SWITCH,
        to.SEE_OWNER,
    ),
    Code.WORKFLOW_OPERATION_IN_PROGRESS: say(
        "The operation is at a step that may not be cut off. Wait until it has ended, then switch.",
        to.SEE_OPERATION,
        to.SEE_OWNER,
    ),
    Code.WORKFLOW_RECOVERY_REQUIRED: say(
        "An ended setup has left files behind. Settle them first: see what recovery can do.",
        to.PREVIEW_RECOVERY,
        to.RETRY_CLEANUP,
    ),
    Code.WORKFLOW_SWITCH_BLOCKED: say(
        "The setup cannot prove that the operation in progress is its own, so it may not end it. See what recovery "
        "can do.",
        to.PREVIEW_RECOVERY,
        to.SEE_OPERATION,
    ),
    Code.WORKFLOW_OWNER_UNKNOWN: say(
        "What is in progress here cannot be ended by a switch. Finish it, or see what recovery can do.",
        to.SEE_OPERATION,
        to.PREVIEW_RECOVERY,
    ),
    Code.WORKFLOW_OWNER_CONFLICT: say(
        "Two records each say that something else is in progress. Neither is preferred; see what recovery can do.",
        to.PREVIEW_RECOVERY,
        to.SEE_OWNER,
    ),
    Code.WORKFLOW_STATE_MALFORMED: say(
        "A record of what is in progress cannot be read. It is kept as it is; see what recovery can do.",
        to.PREVIEW_RECOVERY,
    ),
    Code.WORKFLOW_LIFECYCLE_CHANGED: say(
        "Something has changed since the preview. Nothing was done; look at a new preview and decide again.",
        to.PREVIEW_SWITCH,
        to.PREVIEW_RECOVERY,
    ),
    Code.WORKFLOW_RECOVERY_UNSAFE: say(
        "Recovery may not run while something can still write, or on what it cannot read. Wait until nothing runs, "
        "then look at its preview again.",
        to.PREVIEW_RECOVERY,
        to.SEE_WORK,
    ),
}

RELEASE: Final = {
    Code.UNREADABLE_STATE: say(
        "This record cannot be read. A release sets it aside, with a copy.", to.PREVIEW_RECOVERY
    ),
    Code.UNSUPPORTED_TRANSITION_MODE: say(
        "This operation is of a kind that the Admin does not know. A release sets it aside, with a copy.",
        to.PREVIEW_RECOVERY,
    ),
    Code.UNUSABLE_UPGRADE_CONTEXT: say(
        "What this upgrade noted no longer fits together. A release sets it aside, with a copy.", to.PREVIEW_RECOVERY
    ),
}
