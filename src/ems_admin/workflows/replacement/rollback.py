"""The way back: the old Admin runs again under its own name, and B1 says why the new one does not.

Nothing on it is given up: an act that fails is taken again, until exactly the old image runs.
Source: `replacement.md` 7.4 (Rollback), 7.5 (last row); `faults.md` F30, F33, F36.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.facts import MARK_FAILED, FailureFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Run
from ems_admin.machines.replacement import walk
from ems_admin.machines.replacement.attempts import is_walk_of
from ems_admin.machines.replacement.walking import Wish
from ems_admin.workflows.ledger import Settled
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.replacement import Silence
from ems_admin.workflows.replacement.moving import end_run, or_again
from ems_admin.workflows.replacement.steps import SILENT, Acts, follow, wished
from ems_admin.workflows.replacement.updating import Updating


async def note_back(updating: Updating, run: Run) -> Run:
    """Note that the old Admin runs again. Raises `RefusalError` unless exactly the image on record runs."""
    # Without a snapshot nothing was touched, and there is no image to compare with.
    running = await updating.mover.running_image(run) if run.predecessor else None
    if isinstance(running, Silence):
        raise RefusalError(SILENT)
    return await updating.run.decide(
        walk.PREDECESSOR_IS_BACK,
        walk.RolledBackFacts(
            now=updating.clock.now(),
            operation_id=run.operation_id,
            attempt=run.attempt,
            running_image_id=running,
        ),
    )


async def fail_operation(updating: Updating, run: Run) -> Run:
    """Tell B1 what went wrong, if it still waits for this walk; one that has ended meanwhile is left alone."""
    wish, _ = await wished(updating, run)
    if wish is Wish.STANDS:
        code = Code(run.code or Code.REPLACEMENT_UPDATER_FAILED)
        failure = FailureFacts(
            now=updating.clock.now(), operation_id=run.operation_id, code=code, message=run.log[-1] if run.log else None
        )
        await updating.transition.told(MARK_FAILED, failure)
    return run


BACK: Final[Acts] = {
    "remove_successor": or_again(lambda mover, run: mover.remove_successor(run)),
    "restore_predecessor": or_again(lambda mover, run: mover.restore_predecessor(run)),
    "note_back": note_back,
    "fail_operation": fail_operation,
    "end_run": end_run,
}


async def bring_back(updating: Updating) -> Run | None:
    """Take back what a dead updater has left, as the Admin of last resort.

    The caller has proven the updater to be dead, and holds the dispatch lock. Gives the run record as it stands then;
    `None` when there is none of this attempt, or none that can be read: then nothing is known to be taken back. B1 has
    the code of the walk if anything was; otherwise, and when the walk had got past the verification, B1 is still the
    caller's to move. Raises `RefusalError` when the engine is silent or an act fails: whoever comes next goes on.
    """
    match await updating.run.read():
        case Present(record=run) if is_walk_of(run, updating.operation_id, updating.attempt):
            pass
        case _:
            return None
    died = walk.WalkFailureFacts(
        now=updating.clock.now(),
        operation_id=run.operation_id,
        attempt=run.attempt,
        code=Code.REPLACEMENT_UPDATER_FAILED,
        exit_code=None,
        log=(),
    )
    match await updating.run.told(walk.WALK_FAILED, died):
        case Settled(record=turned):
            return await follow(updating, turned, BACK)
        case _:
            return run  # before its claim it had touched nothing; past the verification there is no way back
