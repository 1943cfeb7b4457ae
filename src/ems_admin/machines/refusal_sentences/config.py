"""The configuration of the EMS: its file, its checks, its backups."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

WRITING: Final = {
    Code.VALIDATION_FAILED: say(
        "The configuration has errors, and so nothing was written. Correct the fields that are named.",
        to.REVIEW_CONFIG,
        to.OPEN_CONFIG,
    ),
    Code.CONFLICT: say(
        "The configuration was changed by somebody else. Look at the difference, then make your change again.",
        to.OPEN_CONFIG,
    ),
    Code.CONFIG_COMMIT_UNPROVABLE: say(
        "A change of the configuration was cut off, and the file is neither the old nor the new one. Nothing is "
        "written until you settle that: recovery keeps the file as it is and forgets the change.",
        to.PREVIEW_RECOVERY,
        to.OPEN_CONFIG,
    ),
    Code.CONFIG_WRITE_FAILED: say(
        "The configuration could not be written, and is as before. Make space or check the disk, then try again.",
        to.OPEN_CONFIG,
        to.REVIEW_CONFIG,
    ),
    Code.CONFIG_FILE_NOT_REPLACEABLE: say(
        "The configuration file cannot be replaced where it is. Mount its folder instead of the single file, and do "
        "not make it a link; then try again.",
        to.OPEN_CONFIG,
    ),
    Code.CONFIG_UNREADABLE: say(
        "The configuration file holds something that cannot be read as text. Correct it at the place that is named, "
        "or restore a backup.",
        to.OPEN_CONFIG,
        to.SEE_BACKUPS,
    ),
    Code.CONFIG_NOT_WRITABLE: say(
        "The Admin may not write to the configuration folder. Give it to the user that the Admin runs as, then try "
        "again.",
        to.LOOK_AGAIN,
    ),
    Code.LEGACY_CONFIG_MISSING: say("There is no configuration of the old kind to take over.", to.SEE_INSTALL),
}

BACKUPS: Final = {
    Code.BACKUP_PASSWORD_REQUIRED: say(
        "This needs the password that the backup is locked with. A backup without one does not leave this machine: "
        "make one that is locked to take it away.",
        to.SEE_BACKUPS,
    ),
    Code.BACKUP_PASSWORD_INVALID: say("This is not the password of the backup. Try again.", to.SEE_BACKUPS),
    Code.BACKUP_DAMAGED: say(
        "This backup is damaged, so nothing is taken from it. Choose another one.", to.SEE_BACKUPS
    ),
}

ENTRIES: Final = {
    Code.SCHEMA_VIOLATION: say(
        "This value does not fit what the build expects here. Correct it.", to.REVIEW_CONFIG, to.OPEN_CONFIG
    ),
    Code.DEVICE_IDENTITY_DUPLICATE: say(
        "Two devices have the same name or serial number. Give each its own.", to.REVIEW_CONFIG, to.OPEN_CONFIG
    ),
    Code.NO_CONTROLLABLE_DEVICE: say(
        "Nothing could be controlled: enable at least one battery or inverter.", to.REVIEW_CONFIG
    ),
    Code.GRID_METER_MISSING: say("Enable the grid meter: without it nothing can be balanced.", to.REVIEW_CONFIG),
    Code.TOO_MANY_ITEMS: say("These are more entries than are accepted. Leave some out.", to.REVIEW_CONFIG),
    Code.PROPOSAL_UNKNOWN: say(
        "This discovered device is not known any more. Search again, or enter it by hand.", to.REVIEW_CONFIG
    ),
    Code.CONFIG_REFERENCE_UNRESOLVED: say(
        "This field names a device or broker that does not exist. Choose one that does.",
        to.REVIEW_CONFIG,
        to.OPEN_CONFIG,
    ),
}
