"""The build that last worked here, held against what is left of it and what runs: whether one can return to it.

Source: `http.md` 5.3 (return-to-running-build); `seed 000` 5.6; `faults.md` D1, F24.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.ending import (
    Good,
    Purpose,
    RunningAdmin,
    RunningBuild,
    Standing,
    WayBack,
    purpose_of,
    return_refusal,
    standing_of,
)
from ems_admin.machines.alignment.facts import RunningEms
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.values.digests import Half, digests_of
from ems_admin.workflows import standing
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import Deployment
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.services import NotSeen
from ems_admin.workflows.selection import Selection, select

RUNNING: Final = {
    RunningEms.EXACT: RunningBuild.KNOWN_GOOD,
    RunningEms.OTHER: RunningBuild.OTHER,
    RunningEms.ABSENT: RunningBuild.OTHER,
    RunningEms.UNKNOWN: RunningBuild.UNVERIFIABLE,
}


@frozen(kw_only=True)
class Looked:
    """What was found: `refusal` closes the way back; without one there is a build to return to."""

    refusal: Refusal | None
    selection: Selection | None


async def way_back(house: House, transition: Transition | None) -> Looked:
    """Look whether one can return to the running build. Never refuses, and asks nothing that an answer needs no more.

    A Setup is never looked further at: it is refused before anything else is asked.
    """
    purpose = purpose_of(transition)
    at = Standing.OVER if transition is None else standing_of(transition)
    if purpose is not Purpose.OTHER or at is not Standing.FAILED:
        unasked = WayBack(purpose, at, Good.NONE, RunningBuild.UNKNOWN, RunningAdmin.UNKNOWN)
        return Looked(refusal=return_refusal(unasked), selection=None)
    good = await standing.known_good(house)
    selection = await _selection(house, good) if good else None
    left = Good.NONE if good is None else Good.COMPLETE if selection else Good.GONE
    way = WayBack(purpose, at, left, await running_build(house, good), _running_admin(house, selection))
    return Looked(refusal=return_refusal(way), selection=selection)


async def return_available(house: House, transition: Transition) -> bool:
    """Say for a view whether the way back is open."""
    return (await way_back(house, transition)).refusal is None


async def known_good_here(house: House, good: KnownGood) -> Deployment | None:
    """Find all that its EMS is started from; one of other digests under its tag is not the one that worked.

    Raises `RefusalError` where the engine cannot be asked: that proves neither.
    """
    build = await house.builds.resources(good.system_tag)
    if isinstance(build, BuildFailure) or good.ems_digest not in digests_of(build.manifest, Half.EMS):
        return None
    deployment = Deployment(manifest=build.manifest, stack=build.stack)
    match await house.engine.present(deployment):
        case NotSeen(code=code):
            raise RefusalError(Refusal(code))
        case present:
            return deployment if present else None


async def _selection(house: House, good: KnownGood) -> Selection | None:
    """Find the imported build again; one of other digests under the same tag is not the one that worked."""
    build = await house.builds.resources(good.system_tag)
    if isinstance(build, BuildFailure):
        return None
    try:
        selection = select(build.manifest, house.engine.kind, house.own)
    except RefusalError:
        return None
    found = (selection.manifest.build_id, selection.manifest.revision, selection.ems_digest)
    return selection if found == (good.build_id, good.revision, good.ems_digest) else None


async def running_build(house: House, good: KnownGood | None) -> RunningBuild:
    """Say which EMS runs, held against the build that last worked here."""
    observation = await house.engine.observe()
    if good is None or isinstance(observation, NotSeen):
        return RunningBuild.UNKNOWN
    return RUNNING[standing.running_ems(observation, good.ems_digest)]


def _running_admin(house: House, selection: Selection | None) -> RunningAdmin:
    if selection is None or standing.running_admin(house) is None:
        return RunningAdmin.UNKNOWN
    return RunningAdmin.MATCHES if selection.aligned else RunningAdmin.DIFFERS
