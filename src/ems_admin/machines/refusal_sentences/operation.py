"""The one operation that brings Admin and EMS to a build: System Alignment."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

OPERATION: Final = {
    Code.TRANSITION_ACTIVE: say(
        "An operation is in progress already, and a second one may not begin beside it. See how far it has come.",
        to.SEE_OPERATION,
        to.SEE_OWNER,
    ),
    Code.TRANSITION_CONTEXT_MISMATCH: say(
        "The operation in progress is for another build or purpose. Finish or discard it before you begin this one.",
        to.SEE_OPERATION,
        to.DISCARD_SETUP,
    ),
    Code.TRANSITION_STATUS_UNAVAILABLE: say(
        "The Admin cannot read whether an operation is in progress, so it begins nothing. See what recovery can do.",
        to.SEE_OPERATION,
        to.PREVIEW_RECOVERY,
    ),
    Code.OPERATION_MISMATCH: say(
        "This page speaks of an operation that is not the present one. Look again before you go on.", to.SEE_OPERATION
    ),
    Code.NO_TRANSITION: say("No operation is in progress, so there is nothing to go on with.", to.LOOK_AGAIN),
    Code.NO_GUIDED_UPGRADE_TRANSITION: say(
        "No upgrade is in progress, so there is nothing to go on with. Plan one when you like.", to.PLAN_UPGRADE
    ),
    Code.GUIDED_UPGRADE_CONTEXT_UNAVAILABLE: say(
        "The Admin cannot read what this upgrade had finished, so it repeats nothing by guessing. Cancel the upgrade "
        "and plan it again.",
        to.CANCEL,
        to.PREVIEW_RECOVERY,
    ),
    Code.INVALID_TRANSITION: say(
        "This step does not follow from where the operation is. Look again to see which one does.", to.SEE_OPERATION
    ),
    Code.NOT_RESUMABLE: say("This operation has ended and cannot go on. Begin a new one.", to.LOOK_AGAIN),
    Code.EXPIRED: say(
        "This operation has waited too long to go on safely. Fetch the build once more: that begins it anew, and keeps "
        "what a setup has written. Or end it.",
        to.FETCH_BUILD,
        to.CANCEL,
        to.DISCARD_SETUP,
    ),
    Code.MUTATION_IN_PROGRESS: say(
        "The operation is at a step that may not be cut off. Wait until it has ended, then try again.",
        to.SEE_OPERATION,
        to.SEE_WORK,
    ),
    Code.TRANSITION_WORKER_ACTIVE: say(
        "The Admin is still working on this operation. Wait until that has ended, then try again.",
        to.SEE_WORK,
        to.SEE_OPERATION,
    ),
    Code.TRANSITION_WORKER_STATUS_UNAVAILABLE: say(
        "The Admin cannot tell whether somebody still works on this operation, so it does not end it. Try again.",
        to.SEE_OPERATION,
    ),
    Code.TRANSITION_CANCEL_UNSUPPORTED: say(
        "It is not clear whose operation this is, so it is not cancelled here. See what recovery can do.",
        to.SEE_OWNER,
        to.PREVIEW_RECOVERY,
    ),
    Code.SYSTEM_TRANSITION_IN_PROGRESS: say(
        "An unfinished operation keeps the configuration and the containers as they are. Finish or end it first.",
        to.SEE_OPERATION,
        to.SEE_OWNER,
    ),
    Code.INSTALL_STATE_UNAVAILABLE: say(
        "The Admin cannot ask what is running here, and this may only be done when it knows. Bring Docker or the "
        "service manager back, then try again.",
        to.LOOK_AGAIN,
    ),
    Code.KNOWN_GOOD_UNAVAILABLE: say(
        "There is no build that is known to have worked here, or its image is gone. Go on, or cancel the operation.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.KNOWN_GOOD_MISMATCH: say(
        "The EMS that runs is not the build last known to have worked, so there is no safe way back to it. Go on, or "
        "cancel the operation.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.RUNNING_EMS_UNVERIFIABLE: say(
        "The Admin cannot tell exactly which EMS runs. Check the containers, then try again.",
        to.SEE_CONTAINERS,
        to.SEE_OPERATION,
    ),
    Code.ADMIN_ALREADY_MATCHES_RUNNING_EMS: say(
        "The Admin already belongs to the EMS that runs; there is nothing to return to.", to.SEE_OPERATION, to.CANCEL
    ),
}

OUTCOMES: Final = {
    Code.TRANSITION_STATE_WRITE_FAILED: say(
        "The step could not be noted, so it was not taken. Make sure that the disk has space, then try again.",
        to.RESUME,
        to.SEE_OPERATION,
    ),
    Code.TRANSITION_COMMIT_UNPROVABLE: say(
        "The disk does not say whether the operation was begun, so nothing more was done. Look at the operation: it "
        "is there, or it is not.",
        to.SEE_OPERATION,
        to.PREVIEW_RECOVERY,
    ),
    Code.TRANSITION_STAGE_COMMIT_UNPROVABLE: say(
        "The disk does not say how far the operation has come, so nothing was started. Look again, then go on or "
        "cancel.",
        to.SEE_OPERATION,
        to.CANCEL,
    ),
}

RECORD: Final = {
    Code.STATE_UNREADABLE: say(
        "The record of the operation cannot be read from the disk. Check its permissions; otherwise see what recovery "
        "can do.",
        to.SEE_OPERATION,
        to.PREVIEW_RECOVERY,
    ),
    Code.STATE_MALFORMED: say(
        "The record of the operation is damaged. It is kept as it is; see what recovery can do.",
        to.PREVIEW_RECOVERY,
    ),
    Code.UNSUPPORTED_STATE_VERSION: say(
        "The record of the operation was written by a newer Admin. Run that one again, or see what recovery can do.",
        to.PREVIEW_RECOVERY,
    ),
    Code.UNSUPPORTED_MODE: say(
        "The operation is of a kind that this Admin does not know. See what recovery can do.", to.PREVIEW_RECOVERY
    ),
    Code.INVALID_STAGE: say(
        "The operation is at a step that this Admin does not know. See what recovery can do.", to.PREVIEW_RECOVERY
    ),
    Code.STATE_TAMPERED: say(
        "The record of the operation contradicts itself, so it is not trusted. See what recovery can do.",
        to.PREVIEW_RECOVERY,
    ),
}

EMS: Final = {
    Code.EMS_OPERATION_INTERRUPTED: say(
        "Starting the EMS was cut off, and the EMS of this build does not run. Go on to start it again.",
        to.RESUME,
        to.SEE_DEPLOYMENT,
    ),
    Code.EMS_IDENTITY_UNVERIFIABLE: say(
        "The Admin cannot tell which EMS runs, so it vouches for nothing. Check the engine, then go on.",
        to.RESUME,
        to.SEE_CONTAINERS,
    ),
    Code.EMS_IDENTITY_MISMATCH: say(
        "Another EMS runs than the one of this build. Start the EMS again.", to.RESUME, to.SEE_CONTAINERS
    ),
    Code.HEALTHCHECK_FAILED: say(
        "What was started does not answer as a healthy one does. Read its last words, mend what they say, then go on.",
        to.RESUME,
        to.SEE_CONTAINERS,
    ),
    Code.OPERATION_STALLED: say(
        "A step made no progress for so long that it was ended. Go on to try it again.", to.RESUME, to.SEE_OPERATION
    ),
}
