"""How an operation comes into being, and what is undone when it provably did not.

The exception is never the outcome: what cannot be said of the commit is read from B1, by its whole immutable identity.
Source: `seed 000` 5.5 (the creation boundary); `site.md` 3 (begin).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from ems_admin.machines.alignment.facts import BEGIN, BeginFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Accepted, Refusal
from ems_admin.machines.records.reading import Present, Unreadable
from ems_admin.machines.records.transition import Mode, ResourceStrategy, Transition, identity
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.machines.values.fingerprints import request_fingerprint
from ems_admin.workflows import standing
from ems_admin.workflows.authority import Hold
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import Denied, Settled
from ems_admin.workflows.ports.records import NotCommitted, RefusalError, Unprovable
from ems_admin.workflows.selection import Selection

Undo: TypeAlias = Callable[[], Awaitable[None]]


def begin_facts(
    hold: Hold, selection: Selection, mode: Mode, *, options: Mapping[str, bool] | None = None
) -> BeginFacts:
    """Say everything that the new operation will be, once and for all; `options` is what was chosen for an upgrade."""
    house, manifest = hold.house, selection.manifest
    return BeginFacts(
        now=house.clock.now(),
        operation_id=house.ids.operation(),
        mode=mode,
        system_tag=manifest.system_tag,
        build_id=manifest.build_id,
        revision=manifest.revision,
        admin_image=selection.admin_image,
        admin_digest=selection.admin_digest,
        ems_image=selection.ems_image,
        ems_digest=selection.ems_digest,
        digest_kind=selection.digest_kind,
        boot_id=house.clock.boot_id(),
        boottime=house.clock.boottime(),
        admin_alignment_required=not selection.aligned,
        request_fingerprint=request_fingerprint(
            mode=mode,
            system_tag=manifest.system_tag,
            selection_fingerprint=selection.fingerprint,
            options=options,
        ),
        compatibility_mode=manifest.compatibility_mode,
        resource_strategy=ResourceStrategy.RELEASE_ARCHIVE,
        orchestrator_admin=standing.running_admin(house),
        accepted_by=hold.caller.accepted_by(),
        acknowledged_development_tag=selection.acknowledged_tag,
    )


async def nothing_to_undo() -> None:
    """Serve operations that nobody links: they leave no trace when they do not begin."""


async def begin(house: House, caller: Caller, facts: BeginFacts, *, undo: Undo = nothing_to_undo) -> Transition:
    """Begin the operation. `undo` is called exactly once, and only when it provably did not begin.

    Raises `RefusalError`: `transition_active`, `transition_state_write_failed`, and `transition_commit_unprovable`
    when nobody can say; then nothing is undone.
    """
    try:
        begun = await house.records.transition.attempt(BEGIN, facts, caller)
    except RefusalError:
        # Nothing was even tried: the lock was not to be had, or the record cannot be read.
        await undo()
        raise
    match begun:
        case Settled(record=record):
            return record
        case Denied(refusal=refusal):
            await undo()
            raise RefusalError(refusal)
        case NotCommitted() as outcome:
            await undo()
            raise RefusalError(house.records.transition.refusal_of(outcome))
        case Unprovable():
            return await _classify(house, facts, undo)


async def _classify(house: House, facts: BeginFacts, undo: Undo) -> Transition:
    """Read B1 once: the exact operation with its whole identity is there, provably is not, or nobody can say."""
    meant = SYSTEM_ALIGNMENT.decide(None, BEGIN, facts)
    reading = await house.records.transition.read()
    if (
        isinstance(reading, Present)
        and isinstance(meant, Accepted)
        and identity(reading.record) == identity(meant.record)
    ):
        return reading.record
    there = isinstance(reading, Present) and reading.record.operation_id == facts.operation_id
    if there or isinstance(reading, Unreadable):
        raise RefusalError(Refusal(Code.TRANSITION_COMMIT_UNPROVABLE))
    await undo()
    raise RefusalError(Refusal(Code.TRANSITION_STATE_WRITE_FAILED))
