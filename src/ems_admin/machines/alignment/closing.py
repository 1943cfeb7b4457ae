"""What closes the way forward for a build that was looked at, whatever else speaks for it.

Source: `http.md` 5.4 (action_state, terminal_error).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.bringing import of_digests
from ems_admin.machines.alignment.matching import AlignmentState
from ems_admin.machines.codes import Code, known_code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.workflow_lifecycle import Owner


class OnRecord(StrEnum):
    """The operation that is not over, held against the build."""

    NONE = "none"
    ANOTHER_BUILD = "another_build"
    OTHER_DIGESTS = "other_digests"
    """The same tag, and other bytes."""
    FAILED = "failed"
    UNDER_WAY = "under_way"


class Files(StrEnum):
    """The files of the build."""

    TO_BE_HAD = "to_be_had"
    """They are here, or an import brings them."""
    OUT_OF_REACH = "out_of_reach"


class Closed(StrEnum):
    """Nothing, the code, or that the operation itself has one."""

    BY_NOTHING = "by_nothing"
    BY_ITS_FAILURE = "by_its_failure"
    SYSTEM_BUILD_TRANSITION_BLOCKED = Code.SYSTEM_BUILD_TRANSITION_BLOCKED
    TRANSITION_ACTIVE_FOR_ANOTHER_BUILD = Code.TRANSITION_ACTIVE_FOR_ANOTHER_BUILD
    TRANSITION_STALE_FOR_SELECTED_BUILD = Code.TRANSITION_STALE_FOR_SELECTED_BUILD
    SYSTEM_BUILD_RESOURCES_UNAVAILABLE = Code.SYSTEM_BUILD_RESOURCES_UNAVAILABLE
    SYSTEM_BUILD_ACTION_STATE_INVALID = Code.SYSTEM_BUILD_ACTION_STATE_INVALID


@frozen
class BuildStanding:
    """A build, and what it meets."""

    owner: Owner
    operation: OnRecord
    files: Files
    alignment: AlignmentState


# The last row but one is a build that contradicts itself: an update to the same bytes would change nothing, and going
# on takes an Admin that says it is the one of the build.
CLOSED: Final = Table[BuildStanding, Closed](
    name="build_closed",
    asks=BuildStanding,
    rows=(
        row(Closed.SYSTEM_BUILD_TRANSITION_BLOCKED, owner={Owner.UNKNOWN, Owner.CONFLICT}),
        row(Closed.TRANSITION_ACTIVE_FOR_ANOTHER_BUILD, operation=OnRecord.ANOTHER_BUILD),
        row(Closed.TRANSITION_STALE_FOR_SELECTED_BUILD, operation=OnRecord.OTHER_DIGESTS),
        row(Closed.BY_ITS_FAILURE, operation=OnRecord.FAILED),
        row(Closed.SYSTEM_BUILD_RESOURCES_UNAVAILABLE, files=Files.OUT_OF_REACH),
        row(Closed.SYSTEM_BUILD_ACTION_STATE_INVALID, alignment=AlignmentState.MISMATCH),
        row(Closed.BY_NOTHING),
    ),
)


def on_record(living: Transition | None, *, system_tag: str, admin_digest: str, ems_digest: str) -> OnRecord:
    """Hold the operation that is not over against a build."""
    if living is None:
        return OnRecord.NONE
    if living.system_tag != system_tag:
        return OnRecord.ANOTHER_BUILD
    if not of_digests(living, admin_digest=admin_digest, ems_digest=ems_digest):
        return OnRecord.OTHER_DIGESTS
    return OnRecord.UNDER_WAY if living.error_code is None else OnRecord.FAILED


def closed_by(standing: BuildStanding, living: Transition | None) -> Code | None:
    """Name what closes both ways; a failure whose code this Admin has no word for is to be ended or resumed first."""
    match CLOSED.classify(standing):
        case Closed.BY_NOTHING:
            return None
        case Closed.BY_ITS_FAILURE:
            return known_code(living.error_code if living else None) or Code.SYSTEM_BUILD_RECOVERY_REQUIRED
        case closed:
            return Code(closed)
