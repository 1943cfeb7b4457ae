"""The start: whatever a cut left half done is found by its declaration, and gone on with or taken back.

The one thing that may move B1 here is a replacement that is proven dead: any other operation is resumed by a person, or
stays where it is. Source: DESIGN 3 (seams, start-up); `site.md` 3; `replacement.md` 7.5; `faults.md` F11, F42.
"""

from __future__ import annotations

from typing import Any

from ems_admin.machines.alignment.outlook import is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.claims import SetupClaim, setup_claim
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Stage, Transition
from ems_admin.workflows.alignment import health
from ems_admin.workflows.alignment.upgrade_context import clear_context
from ems_admin.workflows.alignment.watch import look_after
from ems_admin.workflows.caller import THE_HOUSE
from ems_admin.workflows.config import settlement
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require_done
from ems_admin.workflows.ports.records import JournalLine, RecordStore, RefusalError
from ems_admin.workflows.setup import ending


async def start_up(house: House) -> None:
    """Check the stores and reconcile every seam. A step that fails is kept by its code, and asked again.

    Until all have passed every mutation is `startup_check_failed`; reads and the ways out of a stranded record work.
    """
    try:
        await check_stores(house)
        await settlement.settle(house)
        await finish_ending(house)
        await finish_success(house)
        require_done(await house.engine.adopt())
    except RefusalError as refused:
        house.startup.passed, house.startup.failed_by = False, Code(refused.refusal.code)
        house.startup.failed_at = refused.refusal.detail
        await house.journal.append(
            JournalLine(machine="startup", key=house.instance_id, trigger="check", code=refused.refusal.code)
        )
        return
    house.startup.passed, house.startup.failed_by, house.startup.failed_at = True, None, None
    # Not a step of the check: a replacement that cannot be looked at now closes nothing, and is looked at again.
    await look_after(house)


async def check_stores(house: House) -> None:
    """Take each record's lock once: whoever holds it first clears the leftovers of a cut commit."""
    records = house.records
    stores: tuple[RecordStore[Any], ...] = (
        records.dispatch.store,
        records.run.store,
        records.config_commit,
        records.setup.store,
        records.transition.store,
        records.upgrade.store,
        records.known_good,
        records.admin_update.store,
        records.marker,
        records.selected_release,
    )
    for store in stores:
        async with store.hold():
            pass


async def finish_ending(house: House) -> None:
    """Go on with the cleanup of a workflow that ended and still owes it."""
    setup = await _setup(house)
    if setup is None or setup_claim(setup) is not SetupClaim.CLEANUP_PENDING:
        return
    await ending.finish_cleanup(house, THE_HOUSE, setup)


async def finish_success(house: House) -> None:
    """Complete the workflow whose own operation is completed, and clear what an ended operation had settled."""
    transition = await _transition(house)
    if transition is None or not is_terminal(transition):
        return
    setup = await _setup(house)
    owned = setup is not None and setup.operation_id == transition.operation_id
    if owned and transition.stage is Stage.COMPLETED and setup_claim(setup) is SetupClaim.ACTIVE:
        await health.complete_owner(house, THE_HOUSE, transition)
    await clear_context(house, transition.operation_id, THE_HOUSE)


async def _setup(house: House) -> GuidedSetup | None:
    reading = await house.records.setup.read()
    return reading.record if isinstance(reading, Present) else None


async def _transition(house: House) -> Transition | None:
    reading = await house.records.transition.read()
    return reading.record if isinstance(reading, Present) else None
