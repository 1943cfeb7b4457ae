"""Guided Setup: whose it is, what was shown, and what it leaves behind."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

WORKFLOW: Final = {
    Code.SETUP_WORKFLOW_REQUIRED: say(
        "No guided setup is open here. Begin one, or open the one that is under way and try again from there.",
        to.OPEN_SETUP,
        to.BEGIN_SETUP,
    ),
    Code.SETUP_WORKFLOW_NOT_ACTIVE: say(
        "The setup that this page belongs to has ended or was replaced. Nothing was changed. Open the current one.",
        to.OPEN_SETUP,
        to.BEGIN_SETUP,
    ),
    Code.SETUP_OPERATION_IN_PROGRESS: say(
        "A step of the setup is still running. Wait until it has ended, then try again.", to.SEE_WORK, to.OPEN_SETUP
    ),
    Code.SETUP_ABANDON_REQUIRED: say(
        "A setup is not finished yet, and it comes first. Finish it, or discard it to do this instead.",
        to.OPEN_SETUP,
        to.DISCARD_SETUP,
    ),
    Code.SETUP_RETURN_UNSUPPORTED: say(
        "A setup cannot return to the running build. Go on with it, or discard it.", to.RESUME, to.DISCARD_SETUP
    ),
}

CONFIRMATION: Final = {
    Code.SETUP_INTENT_REQUIRED: say(
        "This step needs your fresh confirmation. Choose Guided Setup again; the setup itself is kept.", to.BEGIN_SETUP
    ),
    Code.SETUP_INTENT_EXPIRED: say(
        "Your confirmation is older than twenty minutes. Choose Guided Setup again; the setup itself is kept.",
        to.BEGIN_SETUP,
    ),
    Code.SETUP_INTENT_CONSUMED: say(
        "This confirmation was used already, perhaps by a second click. See how far the setup has come, or choose "
        "Guided Setup again.",
        to.OPEN_SETUP,
        to.BEGIN_SETUP,
    ),
    Code.SETUP_INTENT_WORKFLOW_MISMATCH: say(
        "This confirmation was given for another setup. Open the current one and confirm there.",
        to.OPEN_SETUP,
        to.BEGIN_SETUP,
    ),
    Code.SETUP_STATE_CHANGED: say(
        "What is installed has changed since you confirmed. Look at it, then choose Guided Setup again.",
        to.SEE_INSTALL,
        to.BEGIN_SETUP,
    ),
}

PREVIEW: Final = {
    Code.SETUP_PREVIEW_REQUIRED: say(
        "Nobody has reviewed this configuration yet. Review it first, then apply exactly what you saw.",
        to.REVIEW_CONFIG,
    ),
    Code.SETUP_PREVIEW_MISMATCH: say(
        "What was sent is not what you last reviewed. Review it again; nothing was written.", to.REVIEW_CONFIG
    ),
    Code.STALE_SETUP_CONFIG: say(
        "The configuration of the running system was changed after your review. Review yours again beside the new one.",
        to.REVIEW_CONFIG,
        to.OPEN_CONFIG,
    ),
    Code.TARGET_EXISTS: say(
        "There is a configuration already. Confirm that it may be replaced; a copy of it is kept.", to.REVIEW_CONFIG
    ),
    Code.CREDENTIAL_STAGING_FAILED: say(
        "The passwords of this configuration could not be stored, so it was not applied and everything is as before. "
        "Check space and permissions of the configuration folder, then try again.",
        to.REVIEW_CONFIG,
    ),
}

OWNERSHIP: Final = {
    Code.SETUP_TRANSITION_OWNER_UNPROVEN: say(
        "An operation is in progress that this setup cannot prove to be its own, so it leaves it alone. See what "
        "recovery can do.",
        to.SEE_OPERATION,
        to.PREVIEW_RECOVERY,
    ),
    Code.SETUP_TRANSITION_CONTEXT_MISMATCH: say(
        "The operation in progress belongs to another setup, so this one leaves it alone. See what recovery can do.",
        to.SEE_OPERATION,
        to.PREVIEW_RECOVERY,
    ),
    Code.SETUP_TRANSITION_LINK_FAILED: say(
        "The setup could not note the operation that it was about to begin, so nothing was begun. Try again.",
        to.OPEN_SETUP,
        to.FETCH_BUILD,
    ),
    Code.SETUP_TRANSITION_LINK_UNRECONCILED: say(
        "The operation was not begun, and the note about it could not be taken back. Open the setup: trying again "
        "mends it; otherwise see what recovery can do.",
        to.OPEN_SETUP,
        to.PREVIEW_RECOVERY,
    ),
    Code.SYSTEM_ALIGNMENT_INCOMPLETE: say(
        "The operation is not where an EMS can be prepared or started. Go on with what waits; where there is no "
        "operation yet, fetch the build.",
        to.RESUME,
        to.FETCH_BUILD,
        to.SEE_OPERATION,
    ),
    Code.SYSTEM_BUILD_ALIGNMENT_REQUIRED: say(
        "This build needs another Admin than the one that runs. Update the Admin first, or choose the build that "
        "belongs to this one.",
        to.UPDATE_ADMIN,
        to.CHOOSE_BUILD,
    ),
}

CLEANUP: Final = {
    Code.SETUP_CLEANUP_REQUIRED: say(
        "An ended setup has left files behind, and they come first. Try their cleanup again.",
        to.RETRY_CLEANUP,
        to.RECHECK_CLEANUP,
    ),
    Code.ABANDON_CLEANUP_INCOMPLETE: say(
        "The setup has ended, but some of its files could not be removed. Try the cleanup again; what runs is not "
        "touched by it.",
        to.RETRY_CLEANUP,
        to.LEAVE_FILES,
    ),
    Code.SETUP_ARTIFACT_REVIEW_REQUIRED: say(
        "The setup has ended, but the Admin cannot prove that some files are its own, so it keeps them. Trying again "
        "would not help: look at them, then check again or leave them as they are.",
        to.RECHECK_CLEANUP,
        to.LEAVE_FILES,
    ),
    Code.SETUP_ARTIFACT_OWNER_MISMATCH: say(
        "This folder does not lie where a folder of the setup must lie, so it is kept. Look at it on the machine.",
        to.RECHECK_CLEANUP,
        to.LEAVE_FILES,
    ),
    Code.CLEANUP_NOT_DISOWNABLE: say(
        "These files cannot be left behind yet: try the cleanup once more first.", to.RETRY_CLEANUP, to.RECHECK_CLEANUP
    ),
}
