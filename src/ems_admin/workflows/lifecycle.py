"""Who owns the console right now: the records read together, once, for every route and gate.

Nothing is stored here and nothing is resolved. Source: `seed 000` 7.1, 7.2; `http.md` 5.4 (lifecycle view).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ems_admin.machines import workflow_lifecycle
from ems_admin.machines.alignment.facts import CancelFacts
from ems_admin.machines.alignment.outlook import cancel_available, is_terminal
from ems_admin.machines.cleanup import review_is_stranded
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim, setup_claim, transition_claim
from ems_admin.machines.lifecycle.fingerprint import LifecycleRecords, UpgradeIdentity, lifecycle_fingerprint
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import NO_ARTIFACTS, GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.machines.setup.facts import Ownership, TransitionFacts, live_transition, transition_is_owned
from ems_admin.machines.workflow_lifecycle import Leftover, Lifecycle, LifecycleFacts, Running
from ems_admin.workflows import standing
from ems_admin.workflows.house import House


@frozen(kw_only=True)
class Reads:
    """The durable records, read one after another for one verdict."""

    setup: Reading[GuidedSetup]
    transition: Reading[Transition]
    upgrade: Reading[UpgradeContext]
    dispatch: Reading[Dispatch]
    run: Reading[Run]
    others: Mapping[str, str | None]
    """Digests of the records that a release names only when they are unreadable."""
    commit_pending: bool


@frozen(kw_only=True)
class LifecycleView:
    """The normalised view: verdict, what is running, and what each record says of itself."""

    lifecycle: Lifecycle
    operation: Mapping[str, Any] | None
    reads: Reads
    fingerprint: str


async def read_records(house: House) -> Reads:
    """Read everything that the verdict depends on."""
    records = house.records
    commit = await records.config_commit.read()
    others = {
        store.name: reading.sha256
        for store, reading in (
            (records.admin_update, await records.admin_update.read()),
            (records.config_commit, commit),
        )
        if isinstance(reading, Unreadable)
    }
    return Reads(
        setup=await records.setup.read(),
        transition=await records.transition.read(),
        upgrade=await records.upgrade.read(),
        dispatch=await records.dispatch.read(),
        run=await records.run.read(),
        others=others,
        commit_pending=isinstance(commit, Present),
    )


async def lifecycle(house: House) -> Lifecycle:
    """Give the verdict alone."""
    return await verdict(house, await read_records(house))


async def lifecycle_view(house: House) -> LifecycleView:
    """Give the verdict with everything that the console shows beside it."""
    reads = await read_records(house)
    holder = house.work.holder
    operation = (
        {
            "kind": holder.kind,
            "started_at": holder.started_at,
            "operation_id": holder.operation_id,
            "job_id": holder.job_id,
        }
        if holder
        else None
    )
    return LifecycleView(
        lifecycle=await verdict(house, reads), operation=operation, reads=reads, fingerprint=fingerprint(reads)
    )


async def verdict(house: House, reads: Reads) -> Lifecycle:
    """Classify what was read, together with what runs."""
    facts = LifecycleFacts(
        setup=_setup_claim(reads.setup),
        transition=_transition_claim(reads.transition),
        running=await _running(house, reads.transition),
        ownership=_ownership(house, reads),
        leftover=_leftover(reads),
    )
    return workflow_lifecycle.read(facts)


def fingerprint(reads: Reads) -> str:
    """Bind whatever is decided on this reading to exactly this reading."""
    upgrade: Reading[UpgradeIdentity]
    match reads.upgrade:
        case Present(record=context, sha256=sha256):
            identity = UpgradeIdentity(operation_id=context.operation_id, target_system_tag=context.target_system_tag)
            upgrade = Present(record=identity, sha256=sha256)
        case Absent() | Unreadable() as other:
            upgrade = other
    return lifecycle_fingerprint(
        LifecycleRecords(
            setup=reads.setup,
            transition=reads.transition,
            upgrade_context=upgrade,
            dispatch=reads.dispatch,
            run=reads.run,
            other=reads.others,
        )
    )


def _setup_claim(reading: Reading[GuidedSetup]) -> SetupClaim:
    if isinstance(reading, Unreadable):
        return SetupClaim.UNREADABLE
    record = reading.record if isinstance(reading, Present) else None
    if record is not None and record.artifacts == NO_ARTIFACTS and _only_stranded(record):
        return SetupClaim.NONE
    return setup_claim(record)


def _only_stranded(record: GuidedSetup) -> bool:
    """Say whether a review names only what no workflow can own without a claim: stale bookkeeping (`seed 000` 5.3)."""
    return setup_claim(record) is SetupClaim.REVIEW_REQUIRED and review_is_stranded.refusal(record, None) is None


def _transition_claim(reading: Reading[Transition]) -> TransitionClaim:
    if isinstance(reading, Unreadable):
        return transition_claim(standing.read_error(reading))
    return transition_claim(reading.record if isinstance(reading, Present) else None)


async def _running(house: House, reading: Reading[Transition]) -> Running:
    if house.work.setup_mutation_runs:
        return Running.SETUP_MUTATION
    if not isinstance(reading, Present) or is_terminal(reading.record):
        return Running.NOTHING
    facts: CancelFacts = await standing.cancel_facts(house, reading.record)
    return Running.NOTHING if cancel_available(reading.record, facts) else Running.BEYOND_CANCEL


def _ownership(house: House, reads: Reads) -> Ownership:
    if not isinstance(reads.setup, Present) or not isinstance(reads.transition, Present | Absent):
        return Ownership.NONE
    transition = reads.transition.record if isinstance(reads.transition, Present) else None
    facts = TransitionFacts(
        now=house.clock.now(),
        workflow_id=reads.setup.record.workflow_id,
        transition=live_transition(transition),
        live_operation_id=transition.operation_id if transition else None,
    )
    return Ownership(str(transition_is_owned.check(reads.setup.record, facts)))


def _leftover(reads: Reads) -> Leftover:
    if reads.commit_pending or reads.others:
        return Leftover.SOME
    if isinstance(reads.upgrade, Absent):
        return Leftover.NONE
    live = reads.transition.record if isinstance(reads.transition, Present) else None
    named = reads.upgrade.record.operation_id if isinstance(reads.upgrade, Present) else None
    owned = live is not None and not is_terminal(live) and live.operation_id == named
    return Leftover.NONE if owned else Leftover.SOME
