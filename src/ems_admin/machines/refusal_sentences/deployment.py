"""Preparing and starting the EMS, and the engine that does it."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.refusal_sentences import actions as to
from ems_admin.machines.refusal_sentences.sentence import say

PREPARATION: Final = {
    Code.RELEASE_NOT_PREPARED: say("The build has not been fetched yet. Fetch it first.", to.FETCH_BUILD),
    Code.GENERATED_CONFIG_MISSING: say(
        "There is no written configuration to deploy. Review yours and write it first.",
        to.REVIEW_CONFIG,
        to.WRITE_CONFIG,
    ),
    Code.GENERATED_CONFIG_REVIEW_REQUIRED: say(
        "There is a written configuration, but the Admin cannot prove that this setup made it. Review yours and write "
        "it again.",
        to.REVIEW_CONFIG,
    ),
    Code.STALE_GENERATED_CONFIG: say(
        "The running configuration was changed after yours was written. Review yours again beside the new one.",
        to.REVIEW_CONFIG,
        to.OPEN_CONFIG,
    ),
    Code.RUNTIME_IDENTITY_MISSING: say(
        "The Admin does not know which user the EMS shall run as. Give the install folder an owner that it can read, "
        "or set the user in the Admin's environment.",
        to.SEE_DEPLOYMENT,
    ),
    Code.EXISTING_INSTALL_CONFLICT: say(
        "An EMS is installed here already. Confirm that it may be replaced, or look after it instead.",
        to.SEE_INSTALL,
        to.BEGIN_SETUP,
    ),
    Code.WORKSPACE_CONFLICT: say(
        "There are files in the install folder that this setup did not put there. Move them away, then prepare again.",
        to.PREPARE,
        to.SEE_INSTALL,
    ),
    Code.INSTALL_ROOT_NOT_HOST_PATH: say(
        "The install folder has another path inside the Admin's container than outside. Mount it at the same path, "
        "then try again.",
        to.SEE_DEPLOYMENT,
    ),
}

START: Final = {
    Code.DEPLOYMENT_NOT_PREPARED: say("Nothing has been prepared to start. Prepare it first.", to.PREPARE),
    Code.DEPLOYMENT_WORKSPACE_MISSING: say("The folder that was prepared is gone. Prepare it again.", to.PREPARE),
    Code.DEPLOYMENT_MARKER_INVALID: say(
        "The note of what was prepared is damaged or belongs to another setup. Prepare it again.", to.PREPARE
    ),
    Code.DEPLOYMENT_CONFIG_MISMATCH: say(
        "The configuration is not the one that was prepared. Prepare it again.", to.PREPARE, to.REVIEW_CONFIG
    ),
    Code.CONTAINER_CONFLICT_CHANGED: say(
        "The conflict is no longer the one that was shown. Look again, and decide about what is there now.",
        to.SEE_DEPLOYMENT,
    ),
    Code.CONTAINER_NOT_STOPPED: say(
        "The container that is in the way is running, so it is not removed. Stop it, or choose to replace it.",
        to.RESOLVE_CONFLICT,
        to.SEE_CONTAINERS,
    ),
    Code.SELECTED_IMAGE_MISSING: say(
        "There is no image to replace that container with. Prepare again to fetch it.", to.PREPARE
    ),
    Code.CONTAINER_NAME_CONFLICT: say(
        "Another container already has the name that is needed. Resolve that, then go on.",
        to.RESOLVE_CONFLICT,
        to.RESUME,
    ),
    Code.CONTAINER_PORT_CONFLICT: say(
        "Something else already uses the port that is needed. Free it, then start again.", to.START, to.SEE_CONTAINERS
    ),
    Code.WORKSPACE_PERMISSION_DENIED: say(
        "The EMS may not write to its own folders. Repair their permissions, then start again.", to.REPAIR, to.START
    ),
    Code.EMS_START_FAILED: say(
        "The EMS ended right after its start. Read its log, mend what it says, then start again.",
        to.START,
        to.SEE_DEPLOYMENT,
    ),
    Code.EMS_NOT_RUNNING: say(
        "The EMS does not keep running. Read its log, mend what it says, then start again.",
        to.START,
        to.SEE_DEPLOYMENT,
    ),
    Code.OWN_CONTAINER_PROTECTED: say(
        "This is the Admin itself, and it does not act on itself here. Update it through an upgrade instead.",
        to.PLAN_ADMIN_UPDATE,
        to.SEE_CONTAINERS,
    ),
}

ENGINE: Final = {
    Code.DOCKER_SOCKET_NOT_MOUNTED: say(
        "The Admin has no way to Docker: its socket is not mounted. Mount it into the Admin's container, then try "
        "again.",
        to.LOOK_AGAIN,
    ),
    Code.DOCKER_PERMISSION_DENIED: say(
        "Docker does not let the Admin in. Give the Admin's user access to the Docker socket, then try again.",
        to.LOOK_AGAIN,
    ),
    Code.DOCKER_DAEMON_UNREACHABLE: say(
        "Docker does not answer. Start it, or wait until it is back, then try again.", to.LOOK_AGAIN
    ),
    Code.SERVICE_MANAGER_UNREACHABLE: say(
        "The service manager of this machine does not answer. Bring it back, then try again.", to.LOOK_AGAIN
    ),
}

IMAGES: Final = {
    Code.IMAGE_PULL_RATE_LIMITED: say(
        "The image server asks to come back later. Wait, then try again.", to.RESUME, to.SEE_OPERATION
    ),
    Code.IMAGE_PULL_NETWORK_ERROR: say(
        "The connection to the image server broke. Check the network, then try again.", to.RESUME, to.SEE_OPERATION
    ),
    Code.IMAGE_PULL_DENIED: say(
        "The image server refused the sign-in. Renew it on the machine, then try again.", to.RESUME, to.SEE_OPERATION
    ),
    Code.IMAGE_PULL_FAILED: say("The image could not be fetched. Try again.", to.RESUME, to.SEE_OPERATION),
    Code.IMAGE_PULL_STALLED: say(
        "Fetching the image made no progress for ten minutes and was ended. Check the network, then try again.",
        to.RESUME,
        to.SEE_OPERATION,
    ),
    Code.IMAGE_UNAVAILABLE: say(
        "The image is not on this machine, although it was fetched. Try again; what runs was not touched.",
        to.RESUME,
        to.SEE_OPERATION,
    ),
    Code.IMAGE_DIGEST_MISMATCH: say(
        "The image is another one than the build names, so it is not started. Go on with the operation, then prepare "
        "again: that brings the one of the build.",
        to.RESUME,
        to.PREPARE,
        to.SEE_OPERATION,
    ),
    Code.IMAGE_SMOKE_FAILED: say(
        "The image does not even say its version. The storage of this machine may be damaged: check the disk before "
        "you try again.",
        to.RESUME,
        to.SEE_OPERATION,
    ),
}
