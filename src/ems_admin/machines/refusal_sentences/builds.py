"""System Builds: finding, fetching and checking them, and choosing one to upgrade to."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

BUILDS: Final = {
    Code.SYSTEM_BUILD_UNKNOWN: say("No list of builds knows this one. Choose one that is listed.", to.CHOOSE_BUILD),
    Code.SYSTEM_BUILD_UNAVAILABLE: say(
        "The build is listed, but a part of it cannot be had now. Try again later, or choose another one.",
        to.CHOOSE_BUILD,
        to.VALIDATE,
    ),
    Code.SYSTEM_BUILD_FLOATING: say(
        "This name means another build every time. Choose a build by its exact version.", to.CHOOSE_BUILD
    ),
    Code.SYSTEM_BUILD_MISMATCH: say(
        "The build is not what its list says it is, so it is not used. Fetch it again; if that does not help, tell "
        "whoever publishes it.",
        to.FETCH_BUILD,
        to.CHOOSE_BUILD,
    ),
    Code.SYSTEM_BUILD_RESOURCES_INVALID: say(
        "The files of the build did not pass their check and were not taken over. Fetch the build again.",
        to.FETCH_BUILD,
        to.CHOOSE_BUILD,
    ),
    Code.SYSTEM_BUILD_VERIFICATION_REQUIRED: say(
        "The build has not been checked yet. Check it, then go on.", to.CHECK_UPGRADE
    ),
    Code.SYSTEM_BUILD_VERIFICATION_STALE: say(
        "The build has changed since it was checked. Check it again, and look at what is new.", to.CHECK_UPGRADE
    ),
    Code.RELEASE_SOURCE_UNREACHABLE: say(
        "The place that builds come from does not answer. Check the network, then try again.", to.CHOOSE_BUILD
    ),
    Code.CLOCK_NOT_PLAUSIBLE: say(
        "The clock of the machine is in the past, so secure connections would fail. Set the time, then try again.",
        to.LOOK_AGAIN,
    ),
}

UPGRADE: Final = {
    Code.UPGRADE_PLAN_STALE: say(
        "Something that the plan rests on has changed. Plan again, and look at what is different.", to.PLAN_UPGRADE
    ),
    Code.MIGRATION_REVIEW_STALE: say(
        "The configuration has changed since the migration was reviewed. Review it again.", to.REVIEW_MIGRATION
    ),
    Code.UPGRADE_NOT_FORWARD: say(
        "This build is not newer than the installed one. Choose a newer one.", to.CHECK_UPGRADE
    ),
}

SELECTION: Final = {
    Code.TRANSITION_STALE_FOR_SELECTED_BUILD: say(
        "The operation in progress was begun for this name when it meant another build. Cancel or discard it, then "
        "begin again.",
        to.CANCEL,
        to.DISCARD_SETUP,
    ),
    Code.TRANSITION_ACTIVE_FOR_ANOTHER_BUILD: say(
        "An operation for another build is in progress. Finish or end it first.", to.SEE_OPERATION, to.CANCEL
    ),
    Code.SYSTEM_BUILD_RECOVERY_REQUIRED: say(
        "The last attempt with this build did not succeed. Go on with it or end it first.", to.RESUME, to.CANCEL
    ),
    Code.SYSTEM_BUILD_TRANSITION_BLOCKED: say(
        "It is not clear what is in progress here, so no build can be chosen. See what recovery can do.",
        to.PREVIEW_RECOVERY,
    ),
    Code.SYSTEM_BUILD_RESOURCES_UNAVAILABLE: say(
        "The files of this build are not here and cannot be fetched now. Try again later.", to.VALIDATE, to.CHOOSE_BUILD
    ),
    Code.SYSTEM_BUILD_ACTION_STATE_INVALID: say(
        "The Admin cannot say what may be done with this build, which is a fault of its own. Look again; if it stays, "
        "report it.",
        to.VALIDATE,
    ),
}
