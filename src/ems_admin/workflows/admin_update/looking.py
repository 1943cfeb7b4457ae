"""A build looked at as an update of the Admin alone: why, whether it may, and what became of the plan before.

Stores nothing. Source: `http.md` 5.3 (admin-update/plan); `site.md` 4 (B7), 9; `faults.md` F52.
"""

from __future__ import annotations

from attrs import evolve, frozen

from ems_admin.machines.admin_update import Operation, operation_of
from ems_admin.machines.admin_update_need import Bound, Known, Running, reason_of, update_refusal
from ems_admin.machines.alignment.beside import Beginning, beginning_beside
from ems_admin.machines.alignment.matching import compared
from ems_admin.machines.alignment.outlook import cancel_available
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.reading import Present, Unreadable
from ems_admin.machines.records.transition import AdminIdentity, Mode, Transition
from ems_admin.machines.records.upgrade import AdminUpdateReason, PendingAdminUpdate, SeenAdmin
from ems_admin.machines.values.tags import Direction, Tagged, direction
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.known_good import running_build
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_tag
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.selection import Selection, resolve


@frozen(kw_only=True)
class Looked:
    """What a build would mean for the Admin that runs."""

    selection: Selection
    current_admin: SeenAdmin
    reason: AdminUpdateReason | None
    """`None`: the very Admin of the build runs already."""
    refusal: Refusal | None
    """What closes the way."""
    known_good: KnownGood | None

    @property
    def target_admin(self) -> AdminIdentity:
        """The Admin of the build."""
        manifest = self.selection.manifest
        return AdminIdentity(
            image=self.selection.admin_image,
            digest=self.selection.admin_digest,
            build_id=manifest.build_id,
            revision=manifest.revision,
        )

    @property
    def beside_the_ems(self) -> Selection:
        """What the operation is about: the Admin of the build, beside the EMS that stays. Raises `RefusalError`."""
        if self.refusal is not None:
            raise RefusalError(self.refusal)
        if self.known_good is None:
            raise LookupError("the way is closed where no EMS is known")
        good = self.known_good
        return evolve(self.selection, ems_digest=good.ems_digest, ems_image=good.ems_image)


async def look(house: House, tag: str) -> Looked:
    """Verify a build and hold it against what runs. Raises `RefusalError` with what is wrong with the build."""
    selection = await resolve(house, tag)
    manifest, own = selection.manifest, house.own
    beside = compared(
        own,
        kind=selection.digest_kind,
        digest=selection.admin_digest,
        build_id=manifest.build_id,
        revision=manifest.revision,
    )
    good = await standing.known_good(house)
    bound = Bound(
        where=await _where(house, selection),
        noted=Known.NO if good is None else Known.YES,
        ems=await running_build(house, good),
    )
    return Looked(
        selection=selection,
        current_admin=_seen(house),
        reason=reason_of(Running(Known.NO if own is None else Known.YES, beside.digest)),
        refusal=update_refusal(bound),
        known_good=good,
    )


async def operation_on_record(house: House, plan: PendingAdminUpdate, *, own_claim: str | None = None) -> Operation:
    """Say what became of the operation that a plan names; `own_claim` is the entry of the caller itself."""
    reading = await house.records.transition.read()
    if isinstance(reading, Unreadable):
        return Operation.UNKNOWN
    transition = reading.record if isinstance(reading, Present) else None
    return operation_of(plan, transition, lapsed=await has_lapsed(house, transition, own_claim=own_claim))


async def has_lapsed(house: House, transition: Transition | None, *, own_claim: str | None = None) -> bool:
    """Say whether an alignment is proven expired and nobody works on it: its own kind may end it and begin anew."""
    if transition is None:
        return False
    age = standing.expiry(house, transition)
    if beginning_beside(transition, age, mode=Mode.ALIGN_EXISTING_INSTALL) is not Beginning.ANEW:
        return False
    return cancel_available(transition, await standing.cancel_facts(house, transition, own_claim=own_claim))


async def _where(house: House, selection: Selection) -> Direction:
    """Say where the build lies, seen from the Admin that runs; where that one has no name, from what is installed."""
    here = house.own.system_tag if house.own else await installed_tag(house)
    if here is None:
        return Direction.UNCOMPARABLE
    channel = selection.manifest.channel
    return direction(Tagged(tag=selection.manifest.system_tag, channel=channel), Tagged(tag=here, channel=channel))


def _seen(house: House) -> SeenAdmin:
    own = house.own
    if own is None:
        return SeenAdmin(image=None, digest=None, build_id=None, revision=None)
    return SeenAdmin(image=own.image_id, digest=own.digest, build_id=own.build_id, revision=own.revision)
