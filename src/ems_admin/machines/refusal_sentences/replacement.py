"""The Admin's own replacement."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

REPLACEMENT: Final = {
    Code.ADMIN_UPDATE_NOT_RUNNABLE: say(
        "This update of the Admin is not due now: the operation has moved on or was ended. Look at it.",
        to.SEE_OPERATION,
    ),
    Code.ADMIN_UPDATE_NOT_REQUIRED: say(
        "The Admin already is the one of this build. Go on without an update.", to.FETCH_BUILD, to.SEE_OPERATION
    ),
    Code.ADMIN_UNVERIFIABLE: say(
        "The Admin cannot tell which build it is itself, so it vouches for nothing. Check how it was started, then go "
        "on or cancel.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.ADMIN_IDENTITY_MISMATCH: say(
        "The Admin that runs is not the one of this build. Go on to update it, or cancel the operation.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.REPLACEMENT_ACTIVE: say(
        "The Admin is being replaced right now. Wait until that has ended; the page finds the new one by itself.",
        to.SEE_OPERATION,
    ),
    Code.ADMIN_UPDATE_LAUNCH_FAILED: say(
        "The updater of the Admin could not be started. The old Admin is untouched; go on to try again.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.REPLACEMENT_NOT_DISPATCHED: say(
        "The update of the Admin was announced but never started. Go on to start it, or cancel.", to.RESUME, to.CANCEL
    ),
    Code.REPLACEMENT_UPDATER_FAILED: say(
        "The updater of the Admin ended before its work was done. Its last words stand beside; go on to try again.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.REPLACEMENT_START_FAILED: say(
        "The new Admin did not start, so the old one was brought back. Read its last words, then try again or cancel.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.REPLACEMENT_CONFIG_DRIFT: say(
        "The new Admin did not come up with the same network and folders, so the old one was brought back. Try again, "
        "or cancel.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.REPLACEMENT_ATTEMPTS_EXHAUSTED: say(
        "The update of the Admin was tried three times in vain, and is not tried again by itself. Find the cause, "
        "then go on.",
        to.RESUME,
        to.CANCEL,
    ),
    Code.KNOWN_GOOD_IMAGE_MISSING: say(
        "The image of the build that last worked is gone, so there is no way back to it. Nothing was stopped. Fetch "
        "that image, or go on.",
        to.RESUME,
        to.SEE_OPERATION,
    ),
    Code.ROLLBACK_NOT_POSSIBLE: say(
        "Something needed to bring the old Admin back is missing, so nothing was stopped. Try again, or cancel.",
        to.RESUME,
        to.CANCEL,
    ),
}
