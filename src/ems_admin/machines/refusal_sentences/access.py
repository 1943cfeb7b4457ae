"""Requests that are incomplete, people who are not known, and the site itself."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

REQUESTS: Final = {
    Code.MALFORMED_BODY: say(
        "The request is not a JSON object that the Admin can read. Reload the page and try again.", to.LOOK_AGAIN
    ),
    Code.UNSUPPORTED_FIELD: say(
        "The request holds a field that this Admin does not know. The page may be older than the Admin: reload it.",
        to.LOOK_AGAIN,
    ),
    Code.UNSUPPORTED_VALUE: say(
        "One of the values is not among those that are possible here. Correct the field that is named, and try again.",
        to.LOOK_AGAIN,
    ),
    Code.CONFIRMATION_REQUIRED: say(
        "This changes something that you may want to keep. Read what it does, confirm it, and send it again.",
        to.LOOK_AGAIN,
    ),
    Code.RECOVERY_REASON_REQUIRED: say(
        "Write down in a few words why these records are set aside. The reason is kept beside their copies.",
        to.PREVIEW_RECOVERY,
    ),
    Code.WORKFLOW_FINGERPRINT_REQUIRED: say(
        "Nobody has looked at what this would do yet. Open the preview first, then confirm what it shows.",
        to.PREVIEW_SWITCH,
        to.PREVIEW_RECOVERY,
    ),
    Code.NOT_FOUND: say("There is nothing here by that name. It may have ended, or never been.", to.LOOK_AGAIN),
    Code.METHOD_NOT_ALLOWED: say("This address exists, but it does not take that kind of request.", to.LOOK_AGAIN),
    Code.BODY_TOO_LARGE: say("The request is larger than the Admin accepts here. Send less at once.", to.LOOK_AGAIN),
    Code.INTERNAL_ERROR: say(
        "The Admin met a fault of its own and stopped this request. Look at the state before you try again; "
        "the log of the Admin says more.",
        to.LOOK_AGAIN,
        to.SEE_JOURNAL,
    ),
    Code.OPERATION_PAYLOAD_MISMATCH: say(
        "An operation with this key was accepted before with another input. Use a new key for a new input.",
        to.SEE_WORK,
    ),
    Code.OPERATION_SEALED: say(
        "This key was closed before it was used, and will never run. Use a new key.", to.SEE_WORK
    ),
}

SIGN_IN: Final = {
    Code.NOT_AUTHENTICATED: say("You are not signed in, or the session has ended. Sign in to go on.", to.SIGN_IN),
    Code.PASSWORD_REQUIRED: say(
        "The password is missing. Enter one, and enter it again to confirm it.", to.SET_PASSWORD
    ),
    Code.PASSWORD_MISMATCH: say("The two passwords differ. Enter the same one twice.", to.SET_PASSWORD),
    Code.CSRF_FAILED: say(
        "The page is older than your session, so the Admin does not act on it. Reload the page and try again.",
        to.REFRESH_SESSION,
    ),
    Code.ORIGIN_REJECTED: say(
        "The request comes from another address than the one the Admin is reached at. Open the console at its own "
        "address, or name your proxy's address in the Admin's settings.",
        to.SEE_SIGN_IN,
    ),
    Code.INVALID_PASSWORD: say("The password is not right. Try again.", to.SIGN_IN),
    Code.AUTH_NOT_CONFIGURED: say("Nobody has chosen a password yet. Choose one now.", to.SET_PASSWORD),
    Code.AUTH_ALREADY_CONFIGURED: say("A password has been chosen already. Sign in with it.", to.SIGN_IN),
    Code.AUTH_FILE_INVALID: say(
        "The password file cannot be read, and the Admin does not guess. Run `ems-admin password reset` on the "
        "machine: it sets the file aside, and you choose a new password.",
        to.SEE_SIGN_IN,
    ),
    Code.SETUP_CODE_REQUIRED: say(
        "Choosing the first password from another machine needs the one-time code. The Admin prints it to its "
        "terminal and log at each start.",
        to.SET_PASSWORD,
    ),
    Code.SETUP_CODE_INVALID: say(
        "This is not the code of the present start. Read the newest one in the terminal or log of the Admin.",
        to.SET_PASSWORD,
    ),
    Code.SECOND_FACTOR_REQUIRED: say("Enter the code of your authenticator, or a recovery code.", to.SIGN_IN),
    Code.SECOND_FACTOR_INVALID: say(
        "The code is not right. Wait for the next one, and check that the clock of your phone is right.", to.SIGN_IN
    ),
    Code.SCOPE_INSUFFICIENT: say(
        "You may look here, but not do this. Ask somebody who may, or use a token of a wider scope.", to.SEE_SIGN_IN
    ),
    Code.RATE_LIMITED: say("Too many wrong attempts from your address. Wait a minute, then try again.", to.SEE_SIGN_IN),
}

SITE: Final = {
    Code.SITE_LOCKED: say(
        "Another Admin already looks after this site. Use that one, or end it first; it is named here with its start.",
        to.LOOK_AGAIN,
    ),
    Code.WORK_IN_PROGRESS: say(
        "Something else is being done on this site, and only one thing may change it at a time. Wait until it has "
        "ended, then try again.",
        to.SEE_WORK,
    ),
    Code.JOB_NOT_CANCELLABLE: say(
        "This step cannot be stopped half-way. Wait until it has ended.", to.SEE_WORK, to.SEE_OPERATION
    ),
    Code.PLAN_UNKNOWN: say(
        "The Admin does not know this plan any more. Make it again; nothing has been changed.",
        to.PLAN_ADMIN_UPDATE,
        to.PLAN_RESTORE,
    ),
    Code.JOB_CANCELLED: say("The job was stopped as you asked. Start it again when you like.", to.SEE_OPERATION),
}
