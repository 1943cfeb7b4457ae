"""The Admin's own records on disk, and what it warns of."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

STORAGE: Final = {
    Code.STATE_WRITE_FAILED: say(
        "The disk did not take the change, and everything is as before. Make space or check the disk, then try again.",
        to.LOOK_AGAIN,
    ),
    Code.STATE_COMMIT_UNPROVABLE: say(
        "The disk does not say whether the change was made, so nothing more was done. Look at the state before you try "
        "again.",
        to.LOOK_AGAIN,
        to.SEE_JOURNAL,
    ),
    Code.STATE_DIRECTORY_UNSAFE: say(
        "The folder of the Admin's records is a link or lies somewhere else than it should. Put the real folder in "
        "its place, then try again.",
        to.LOOK_AGAIN,
    ),
    Code.STATE_FILE_UNSAFE: say(
        "A record of the Admin is a link or no ordinary file. Put the real file back, or see what recovery can do.",
        to.LOOK_AGAIN,
        to.PREVIEW_RECOVERY,
    ),
    Code.STARTUP_CHECK_FAILED: say(
        "A check at the start of the Admin has not passed, so it changes nothing. Mend what is named, then look again.",
        to.LOOK_AGAIN,
        to.PREVIEW_RECOVERY,
    ),
    Code.ADMIN_DATA_NOT_WRITABLE: say(
        "The Admin may not write to its own folder that is named here. Give it to the user that the Admin runs as, "
        "then try again.",
        to.LOOK_AGAIN,
    ),
    Code.STATE_LOCK_UNAVAILABLE: say(
        "The file system of this folder has no locks, so nothing is written to it. Move the Admin's data to a local "
        "disk.",
        to.LOOK_AGAIN,
    ),
    Code.STATE_LOCK_BUSY: say(
        "Somebody else has held a record of the Admin for too long. Wait a moment, then try again.", to.SEE_WORK
    ),
}

WARNINGS: Final = {
    Code.STORAGE_UNRELIABLE: say(
        "The disk reported errors while the Admin saved. What you see is saved, but check the disk and make a backup.",
        to.SEE_BACKUPS,
        to.DIAGNOSE,
    ),
    Code.JOURNAL_NOT_WRITABLE: say(
        "The Admin cannot write down what it does. It goes on working; check space and permissions of its folder.",
        to.LOOK_AGAIN,
    ),
    Code.DISK_NEARLY_FULL: say(
        "The disk is nearly full. Make space before it is: delete old backups, for example.", to.SEE_BACKUPS
    ),
    Code.DASHBOARD_UNREACHABLE: say(
        "The EMS runs, but its dashboard does not answer. Read the log of the EMS.", to.SEE_CONTAINERS
    ),
    Code.CURRENT_ADMIN_UNUSABLE: say(
        "This site was switched to another build of the Admin, whose program cannot be run. The Admin that was started "
        "serves in its place. Update the Admin again, or start it from the build that the site names.",
        to.SEE_OPERATION,
    ),
}
