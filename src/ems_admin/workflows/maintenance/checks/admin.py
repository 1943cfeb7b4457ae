"""The Admin itself: which build it is, and whether it can read, write and remember.

Source: `http.md` 5.3 (diagnostics); `faults.md` F03, F13, F18, F36.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.outlook import has_failed, is_pending
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.values.space import MIB, NEARLY_FULL
from ems_admin.workflows import standing
from ems_admin.workflows.config.settlement import refuse_unprovable
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.checks.check import Check, failed, ok, told, unavailable, warning
from ems_admin.workflows.ports.records import RefusalError

NO_ROOM: Final = 20 * MIB
"""Below this not even a record and its copy beside it are sure to fit."""


async def examine(house: House) -> tuple[Check, ...]:
    """Look at the Admin, its records and what they lie on."""
    good, transition = await house.records.known_good.read(), await house.records.transition.read()
    return (
        identity(house.own, good),
        await _records(house),
        operation(transition),
        await _config_commit(house),
        await _directories(house),
        disk(await house.installation.free_bytes()),
        storage(house),
        clock(house),
        journal(house),
    )


def identity(own: OwnIdentity | None, good: Reading[KnownGood]) -> Check:
    """Hold the Admin that runs against the one that was last proven together with an EMS."""
    key = "admin"
    if own is None or own.digest is None:
        return unavailable(key, told(Code.ADMIN_UNVERIFIABLE))
    match good:
        case Unreadable():
            return unavailable(key, "The note of the last good build cannot be read: see the check of the records.")
        case Absent():
            return ok(key, f"The Admin is build {own.build_id}. No build has been proven together with an EMS yet.")
        case Present(record=proven):
            same = (own.build_id, own.revision) == (proven.admin_build_id, proven.admin_revision)
    if same:
        return ok(key, f"The Admin is build {own.build_id}, the one that is known to be good.")
    return warning(
        key,
        f"The Admin is build {own.build_id}, and the last one known to be good is {proven.admin_build_id}. Finish the "
        "update that is under way, or return to the running build.",
    )


async def _records(house: House) -> Check:
    readings = await house.records.together()
    bad = sorted(f"{name}: {reading.fault}" for name, reading in readings.items() if isinstance(reading, Unreadable))
    if not bad:
        return ok("records", "Every record of the Admin can be read.")
    return failed("records", f"Records cannot be read: {', '.join(bad)}. See what recovery can do about them.")


def operation(reading: Reading[Transition]) -> Check:
    """Look whether an operation is under way, or has stopped half-way."""
    key = "operation"
    if isinstance(reading, Unreadable):
        return unavailable(key, told(Code.TRANSITION_STATUS_UNAVAILABLE, standing.read_error(reading)))
    found = reading.record if isinstance(reading, Present) else None
    if found is None or not is_pending(found):
        return ok(key, "No operation is under way.")
    if has_failed(found):
        return warning(key, f"The operation for {found.system_tag} has failed. Try it once more, or call it off.")
    return warning(key, f"An operation for {found.system_tag} is under way, at {found.stage}. Go on with it first.")


async def _config_commit(house: House) -> Check:
    key = "config_commit"
    try:
        await refuse_unprovable(house)
    except RefusalError as refused:
        return failed(key, told(Code(refused.refusal.code)))
    if isinstance(await house.records.config_commit.read(), Absent):
        return ok(key, "No change of the configuration was left half done.")
    return warning(
        key, "A change of the configuration was cut. The next start of the Admin, or another change, ends it."
    )


async def _directories(house: House) -> Check:
    verdict = await house.installation.not_writable()
    if verdict is None:
        return ok("directories", "The Admin can write to all of its folders.")
    return failed("directories", told(verdict.code, verdict.detail))


def disk(free: int | None) -> Check:
    """Judge the free space, in bytes."""
    if free is None:
        return unavailable("disk", "The free space of the Admin's folder cannot be read. Check the disk.")
    left = f"{free // MIB} MiB free"
    if free < NO_ROOM:
        return failed("disk", told(Code.DISK_NEARLY_FULL, left))
    return warning("disk", told(Code.DISK_NEARLY_FULL, left)) if free < NEARLY_FULL else ok("disk", f"{left}.")


def storage(house: House) -> Check:
    """Tell what the disk has answered since this Admin started."""
    if Code.STORAGE_UNRELIABLE in house.warnings.shown:
        return warning("storage", told(Code.STORAGE_UNRELIABLE))
    return ok("storage", "The disk has reported no error.")


def clock(house: House) -> Check:
    """Judge whether the wall clock can be right."""
    if standing.clock_is_plausible(house):
        return ok("clock", "The clock is plausible.")
    return warning("clock", told(Code.CLOCK_NOT_PLAUSIBLE))


def journal(house: House) -> Check:
    """Look whether what happens is written down."""
    if house.journal.writable:
        return ok("journal", "What happens is written down.")
    return failed("journal", told(Code.JOURNAL_NOT_WRITABLE))
