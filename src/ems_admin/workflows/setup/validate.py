"""Looking at a build before anything is decided: the six checks, and the one action that is possible now.

Source: `http.md` 5.4 (Validate, action_state).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.closing import BuildStanding, Files, closed_by, on_record
from ems_admin.machines.alignment.facts import Updater
from ems_admin.machines.alignment.matching import AlignmentState
from ems_admin.machines.alignment.outlook import is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import CatalogueEntry, Channel, Manifest
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.transition import CompatibilityMode, ResourceStrategy, Stage, Transition
from ems_admin.machines.refusals import Sentence, sentence
from ems_admin.workflows import standing
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle import lifecycle
from ems_admin.workflows.ports.builds import BuildFailure, Resources
from ems_admin.workflows.selection import Selection, resolve


class ResourceState(StrEnum):
    """How the resources of the build stand."""

    PREPARED = "prepared"
    READY = "ready"
    STALE = "stale"
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class TerminalError:
    """What stands against any action on this build, with the ways out."""

    code: Code
    sentence: Sentence


@frozen(kw_only=True)
class Checks:
    """The six checks that the release step shows."""

    admin_image_available: bool
    ems_image_available: bool
    revision_matches: bool
    build_id_matches: bool
    channel_matches: bool
    resources_match: bool


@frozen(kw_only=True)
class SelectedBuild:
    """The build that was looked at."""

    tag: str
    channel: Channel
    revision: str
    build_id: str


@frozen(kw_only=True)
class ActionState:
    """What may be done with the build now. Without a terminal error and not busy, exactly one way is open."""

    selected_build: SelectedBuild
    selection_fingerprint: str
    compatibility_mode: CompatibilityMode
    alignment_state: AlignmentState
    resource_strategy: ResourceStrategy
    resource_state: ResourceState
    admin_update_required: bool
    admin_update_allowed: bool
    continue_allowed: bool
    terminal_error: TerminalError | None
    busy: bool
    progress_message: str | None
    polling_required: bool
    transition_stage: Stage | None
    operation_id: str | None


@frozen(kw_only=True)
class Validation:
    """The answer of validate."""

    validation_state: str
    selected_tag: str
    system_build: SelectedBuild
    alignment: AlignmentState
    resource_status: ResourceState
    operation_id: str | None
    summary: str
    checks: Checks
    action_state: ActionState


SUMMARIES: Final = {
    True: "The build is complete, and this Admin belongs to it.",
    False: "The build is complete. Its own Admin has to take over before it can be installed.",
}

MENDED_BY_FETCHING: Final = frozenset(
    {Code.RELEASE_NOT_PREPARED, Code.SYSTEM_BUILD_MISMATCH, Code.SYSTEM_BUILD_RESOURCES_INVALID}
)
"""What is said of stored files that the next import puts in place, whole."""


async def validate(house: House, tag: str) -> Validation:
    """Verify a build and say what may be done with it. Stores nothing. Raises `RefusalError` when it cannot be had."""
    selection = await resolve(house, tag)
    stored = await house.builds.resources(selection.manifest.system_tag)
    # One that cannot be read closes both ways, and does not hide what the build is: `_closed` says so.
    reading = await house.records.transition.read()
    transition = reading.record if isinstance(reading, Present) else None
    action = await _action_state(house, selection, stored, transition)
    manifest = selection.manifest
    entry = await _listed(house, manifest.system_tag)
    checks = Checks(
        # A build without one of its halves is refused before anything else is looked at.
        admin_image_available=bool(selection.admin_digest),
        ems_image_available=bool(selection.ems_digest),
        revision_matches=entry is not None and entry.revision == manifest.revision,
        build_id_matches=entry is not None and entry.build_id == manifest.build_id,
        channel_matches=entry is not None and entry.channel is manifest.channel,
        resources_match=action.resource_state is not ResourceState.STALE,
    )
    return Validation(
        validation_state="valid",
        selected_tag=manifest.system_tag,
        system_build=action.selected_build,
        alignment=action.alignment_state,
        resource_status=action.resource_state,
        operation_id=action.operation_id,
        summary=SUMMARIES[selection.aligned],
        checks=checks,
        action_state=action,
    )


def selected_build(manifest: Manifest) -> SelectedBuild:
    """Name a build as it is shown."""
    return SelectedBuild(
        tag=manifest.system_tag, channel=manifest.channel, revision=manifest.revision, build_id=manifest.build_id
    )


async def _action_state(
    house: House, selection: Selection, stored: Resources | BuildFailure, transition: Transition | None
) -> ActionState:
    manifest = selection.manifest
    living = transition if transition is not None and not is_terminal(transition) else None
    busy = await _is_busy(house, living)
    error = await _closed(house, selection, stored, living)
    open_now = error is None and not busy
    return ActionState(
        selected_build=selected_build(manifest),
        selection_fingerprint=selection.fingerprint,
        compatibility_mode=manifest.compatibility_mode,
        alignment_state=selection.alignment,
        resource_strategy=ResourceStrategy.RELEASE_ARCHIVE,
        resource_state=_resource_state(selection, stored),
        admin_update_required=not selection.aligned,
        admin_update_allowed=open_now and not selection.aligned,
        continue_allowed=open_now and selection.aligned,
        terminal_error=None if error is None else TerminalError(code=error, sentence=sentence(error)),
        busy=busy,
        progress_message="Work on this build is under way." if busy else None,
        polling_required=busy,
        transition_stage=living.stage if living else None,
        operation_id=living.operation_id if living else None,
    )


async def _listed(house: House, tag: str) -> CatalogueEntry | None:
    """Find what the source says of the build, to hold its own manifest against."""
    offered = await house.builds.offered()
    if isinstance(offered, BuildFailure):
        return None
    return next((entry for entry in offered if entry.tag == tag), None)


async def _is_busy(house: House, living: Transition | None) -> bool:
    """Say whether somebody acts: a transition that is merely parked is not busy."""
    if living is None:
        return False
    updater = await standing.updater(house, living)
    return house.work.names(living.operation_id) or updater is not Updater.INACTIVE


async def _closed(
    house: House, selection: Selection, stored: Resources | BuildFailure, living: Transition | None
) -> Code | None:
    unreadable = isinstance(stored, BuildFailure) and stored.code not in MENDED_BY_FETCHING
    operation = on_record(
        living,
        system_tag=selection.manifest.system_tag,
        admin_digest=selection.admin_digest,
        ems_digest=selection.ems_digest,
    )
    standing = BuildStanding(
        owner=(await lifecycle(house)).owner,
        operation=operation,
        files=Files.OUT_OF_REACH if unreadable else Files.TO_BE_HAD,
        alignment=selection.alignment,
    )
    return closed_by(standing, living)


def _resource_state(selection: Selection, stored: Resources | BuildFailure) -> ResourceState:
    if isinstance(stored, BuildFailure):
        absent = stored.code is Code.RELEASE_NOT_PREPARED
        return ResourceState.READY if absent else ResourceState.UNKNOWN
    return ResourceState.PREPARED if stored.manifest == selection.manifest else ResourceState.STALE
