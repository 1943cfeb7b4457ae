"""The rules by which a System Alignment transition is cancelled, in the order in which they are asked.

What is no longer proven fresh may be left at every stage, because expiry closes the ways forward. It never outranks
life: work or an updater that is seen to run keeps its operation.

Source: `site.md` 3 ("Cancel refuses", "Expiry"), `replacement.md` 7.6, `seed 000` 5.3, `faults.md` F43.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import CancelFacts, OwnName, Updater, Worker
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import HOLDS, Table, guard, row
from ems_admin.machines.records.transition import Transition


@guard(Code.MUTATION_IN_PROGRESS)
def stage_is_escapable(_record: Transition, facts: CancelFacts) -> bool:
    """The stage mutates the EMS, and so it is left only by an operation that is no longer proven fresh."""
    return facts.expiry is not Expiry.FRESH


@guard(Code.MUTATION_IN_PROGRESS)
def no_import_is_cut(_record: Transition, facts: CancelFacts) -> bool:
    """No live import runs, or the operation is no longer proven fresh and the worker is asked for instead."""
    return not facts.import_is_live or facts.expiry is not Expiry.FRESH


@guard(
    {
        Worker.INACTIVE: HOLDS,
        Worker.ACTIVE: Code.TRANSITION_WORKER_ACTIVE,
        Worker.UNKNOWN: Code.TRANSITION_WORKER_STATUS_UNAVAILABLE,
    }
)
def nobody_works(_record: Transition, facts: CancelFacts) -> Worker:
    """No running work names the operation."""
    return facts.worker


@guard(Code.REPLACEMENT_ACTIVE)
def no_updater_runs(_record: Transition, facts: CancelFacts) -> bool:
    """No updater is seen running. Where nothing was handed over, an engine that is silent is in nobody's way."""
    return facts.updater is not Updater.RUNNING


class Claim(StrEnum):
    """Whether an updater has claimed the operation."""

    CLAIMED = "claimed"
    UNCLAIMED = "unclaimed"


class Handover(StrEnum):
    """What a cancel finds of a replacement that was handed over."""

    OVER = "over"
    UNDER_WAY = "under_way"
    UNREADABLE = "unreadable"


@frozen
class HandoverFacts:
    """What decides whether a replacement can be called off."""

    updater: Updater
    expiry: Expiry
    claim: Claim
    own_name: OwnName


HANDOVER: Final = Table[HandoverFacts, Handover](
    name="handover",
    asks=HandoverFacts,
    rows=(
        row(Handover.UNDER_WAY, updater=Updater.RUNNING),
        row(Handover.OVER, expiry={Expiry.EXPIRED, Expiry.UNPROVEN}),
        row(Handover.UNREADABLE, updater=Updater.UNKNOWN),
        row(Handover.OVER, claim=Claim.UNCLAIMED),
        row(Handover.UNDER_WAY, updater=Updater.CREATED),
        row(Handover.UNDER_WAY, own_name=OwnName.SET_ASIDE),
        row(Handover.UNREADABLE, own_name=OwnName.UNKNOWN),
        row(Handover.OVER),
    ),
)


@guard(
    {
        Handover.OVER: HOLDS,
        Handover.UNDER_WAY: Code.REPLACEMENT_ACTIVE,
        Handover.UNREADABLE: Code.INSTALL_STATE_UNAVAILABLE,
    }
)
def handover_is_over(record: Transition, facts: CancelFacts) -> Handover:
    """The updater is inactive; one that has claimed has also left this Admin serving under its own name."""
    claim = Claim.CLAIMED if record.admin_update_claimed_at else Claim.UNCLAIMED
    return HANDOVER.classify(HandoverFacts(facts.updater, facts.expiry, claim, facts.own_name))
