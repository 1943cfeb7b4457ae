"""What the Admin that runs does about a replacement that was handed over, going by what it sees of it.

Asked at the start and every ten seconds while B1 waits for the new Admin, under the dispatch lock. Never does a second
updater come into being for one attempt after it was launched or claimed. Source: `replacement.md` 7.5.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.cancel import Claim
from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import Updater
from ems_admin.machines.alignment.outlook import Place
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.transition import Stage


class Walked(StrEnum):
    """How far the updater of the last attempt has noted to have come."""

    UNVERIFIED = "unverified"
    VERIFIED = "verified"
    """U10: from there on the walk only goes forward."""


class Kept(StrEnum):
    """What the engine shows of the updater."""

    SILENT = "silent"
    """No answer, or one that says nothing."""
    RESTLESS = "restless"
    """It runs, or restarts, and has been restarted three times or more."""
    ALIVE = "alive"
    CREATED = "created"
    EXITED = "exited"
    ABSENT = "absent"


RESTLESS_FROM: Final = 3
"""Restarts without a claim after which an updater is ended (`faults.md` F35)."""
AS_UPDATER: Final = {
    Kept.SILENT: Updater.UNKNOWN,
    Kept.RESTLESS: Updater.RUNNING,
    Kept.ALIVE: Updater.RUNNING,
    Kept.CREATED: Updater.CREATED,
    Kept.EXITED: Updater.INACTIVE,
    Kept.ABSENT: Updater.INACTIVE,
}
"""The same in the words in which B1 asks."""


class Promise(StrEnum):
    """What the dispatch record says."""

    NONE = "none"
    """There is no record."""
    UNPROVABLE = "unprovable"
    """It cannot be read, or speaks of something else."""
    INTENDED = "intended"
    SETTLED = "settled"
    """Launched or failed, or nothing was ever intended."""


class Reconciling(StrEnum):
    """What is done."""

    OFFER_RESUME = "offer_resume"
    """Resume is offered here; by itself when the operation was accepted by a token."""
    ASK_AGAIN = "ask_again"
    END_RESTLESS = "end_restless"
    """The operation fails if it is still unclaimed, and the updater is stopped for good."""
    WAIT = "wait"
    SHOW_UNPROVABLE = "show_unprovable"
    """`transition_stage_commit_unprovable` is shown; nothing is launched, cancel is the way out."""
    FAIL_NOT_DISPATCHED = "fail_not_dispatched"
    FAIL_UNVERIFIABLE = "fail_unverifiable"
    """A created updater is removed without force."""
    LEAVE = "leave"
    """Cancel, or a new beginning, goes on."""
    START = "start"
    CREATE_AND_START = "create_and_start"
    BRING_BACK = "bring_back"
    """The updater is dead: this Admin gets its name back, and the operation fails with the code of the walk."""


@frozen
class Handed:
    """A replacement that was handed over."""

    place: Place
    walked: Walked
    updater: Kept
    claim: Claim
    dispatch: Promise
    expiry: Expiry


RECONCILE: Final = Table[Handed, Reconciling](
    name="reconcile_replacement",
    asks=Handed,
    rows=(
        row(Reconciling.OFFER_RESUME, place=Place.TARGET, walked=Walked.VERIFIED),
        row(Reconciling.ASK_AGAIN, updater=Kept.SILENT),
        row(Reconciling.END_RESTLESS, updater=Kept.RESTLESS, claim=Claim.UNCLAIMED),
        row(Reconciling.WAIT, updater={Kept.RESTLESS, Kept.ALIVE}),
        row(Reconciling.OFFER_RESUME, place=Place.TARGET),
        row(Reconciling.SHOW_UNPROVABLE, dispatch=Promise.UNPROVABLE),
        row(Reconciling.FAIL_NOT_DISPATCHED, dispatch=Promise.NONE, updater=Kept.ABSENT),
        row(Reconciling.FAIL_UNVERIFIABLE, place=Place.UNKNOWN),
        row(Reconciling.LEAVE, claim=Claim.UNCLAIMED, expiry=Expiry.EXPIRED),
        row(Reconciling.START, claim=Claim.UNCLAIMED, updater=Kept.CREATED),
        row(Reconciling.CREATE_AND_START, claim=Claim.UNCLAIMED, updater=Kept.ABSENT, dispatch=Promise.INTENDED),
        row(Reconciling.BRING_BACK),
    ),
)


class Tidying(StrEnum):
    """What is done about an updater that has nothing left to do."""

    FORGET = "forget"
    """It was kept as evidence of an operation that is over by now (`faults.md` D10)."""
    QUELL = "quell"
    """Its operation has failed because of it, and the stop that was to follow was cut."""
    LEAVE = "leave"


@frozen
class Remains:
    """An operation that no longer waits for its updater, and what is left of that one."""

    stage: Stage
    updater: Kept
    claim: Claim


TIDYING: Final = Table[Remains, Tidying](
    name="tidying",
    asks=Remains,
    rows=(
        row(Tidying.FORGET, stage={Stage.COMPLETED, Stage.CANCELLED}),
        row(Tidying.QUELL, stage=Stage.FAILED_RECOVERABLE, updater=Kept.RESTLESS, claim=Claim.UNCLAIMED),
        row(Tidying.LEAVE),
    ),
)
