"""How things stand: the facts that several workflows gather before they ask a machine.

Each function reads afresh. What cannot be read comes back as the value that says so.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.expiry import Clock as Clocks
from ems_admin.machines.alignment.expiry import Expiry, expiry_of
from ems_admin.machines.alignment.facts import (
    CancelFacts,
    EmsRecoveryFacts,
    ResumeFacts,
    RetryFacts,
    RunningEms,
    Updater,
    Worker,
)
from ems_admin.machines.alignment.outlook import is_handed_over
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.reading import Present, ReadFault, Unreadable
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import AdminIdentity, Transition
from ems_admin.machines.setup.authority import authority_refusal
from ems_admin.machines.setup.facts import LiveTransition, TransitionFacts, live_transition
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.services import NotSeen, Observation, ServiceState
from ems_admin.workflows.sight import Sight, sight

# What the status route says of a B1 that cannot be read (`site.md` 3).
READ_ERRORS: Final = {
    ReadFault.UNSUPPORTED_FORMAT: Code.UNSUPPORTED_STATE_VERSION,
    ReadFault.UNSUPPORTED_MODE: Code.UNSUPPORTED_MODE,
    ReadFault.INVALID_STAGE: Code.INVALID_STAGE,
    ReadFault.TAMPERED: Code.STATE_TAMPERED,
    ReadFault.NOT_PERMITTED: Code.STATE_UNREADABLE,
    ReadFault.IO_ERROR: Code.STATE_UNREADABLE,
    ReadFault.FILE_UNSAFE: Code.STATE_UNREADABLE,
    ReadFault.DIRECTORY_UNSAFE: Code.STATE_UNREADABLE,
}


def read_error(reading: Unreadable) -> Code:
    """Name the fault of a B1 that cannot be used."""
    return READ_ERRORS.get(reading.fault, Code.STATE_MALFORMED)


def setup_unreadable(reading: Unreadable) -> Refusal:
    """Answer for a B0 that is there and cannot be used: it might claim anything, so nothing is done."""
    return Refusal(Code.WORKFLOW_STATE_MALFORMED, detail=reading.fault)


def transition_unreadable(reading: Unreadable) -> Refusal:
    """Answer for a B1 that is there and cannot be used."""
    return Refusal(Code.TRANSITION_STATUS_UNAVAILABLE, detail=read_error(reading))


def upgrade_unreadable(reading: Unreadable) -> Refusal:
    """Answer for a B6 that is there and cannot be used: what it has settled is not known, so nothing is repeated."""
    return Refusal(Code.GUIDED_UPGRADE_CONTEXT_UNAVAILABLE, detail=reading.fault)


def admin_plan_unreadable(reading: Unreadable) -> Refusal:
    """Answer for a B7 that is there and cannot be used: it may name an operation, so none is planned beside it."""
    return Refusal(Code.WORKFLOW_STATE_MALFORMED, detail=reading.fault)


def promise_unreadable(reading: Unreadable) -> Refusal:
    """Answer for a dispatch or run record that is there and cannot be used: nobody can say what was launched."""
    return Refusal(Code.TRANSITION_STAGE_COMMIT_UNPROVABLE, detail=reading.fault)


async def transition_facts(house: House, workflow_id: str | None) -> TransitionFacts:
    """Say what B1 shows, for the question whose it is."""
    reading = await house.records.transition.read()
    transition = reading.record if isinstance(reading, Present) else None
    unreadable = isinstance(reading, Unreadable)
    return TransitionFacts(
        now=house.clock.now(),
        workflow_id=workflow_id,
        transition=LiveTransition.UNREADABLE if unreadable else live_transition(transition),
        live_operation_id=transition.operation_id if transition else None,
    )


async def own_transition(house: House, setup: GuidedSetup) -> Transition | None:
    """Give the transition that this workflow owns, whatever its stage. Raises `RefusalError` when B1 is unreadable."""
    transition = await house.records.transition.current()
    return transition if transition is not None and transition.operation_id == setup.operation_id else None


async def still_accepted(house: House, workflow_id: str | None) -> None:
    """Read B0 again for the workflow that a worker was accepted for; one that was accepted for none is let go on.

    Asked before each durable step: the identity is the carried one, never whichever is stored (`seed 000` 5.4).
    Raises `RefusalError` with `setup_workflow_not_active`.
    """
    if workflow_id is None:
        return
    if refusal := authority_refusal(await house.records.setup.current(), workflow_id):
        raise RefusalError(refusal)


def expiry(house: House, transition: Transition) -> Expiry:
    """Judge the age of an operation."""
    built_at = house.own.built_at if house.own else transition.created_at
    clocks = Clocks(
        now=house.clock.now(),
        boot_id=house.clock.boot_id(),
        boottime=house.clock.boottime(),
        admin_built_at=built_at,
    )
    return expiry_of(transition, clocks)


def clock_is_plausible(house: House) -> bool:
    """Say whether the wall clock is not before the build date of this Admin, as a source is asked (`faults.md` F18)."""
    return house.own is None or house.clock.now() >= house.own.built_at


def worker(house: House, operation_id: str, *, but: str | None = None) -> Worker:
    """Say whether running work of this process, but for the entry `but`, names the operation. It always knows."""
    return Worker.ACTIVE if house.work.names(operation_id, but=but) else Worker.INACTIVE


async def updater(house: House, transition: Transition) -> Updater:
    """Say what the engine shows of the updater of the operation's last attempt."""
    return (await sight(house, transition)).updater


async def cancel_facts(
    house: House, transition: Transition, *, own_claim: str | None = None, seen: Sight | None = None
) -> CancelFacts:
    """Gather who might still act for an operation; `own_claim` is the entry of the caller itself.

    `seen` is the replacement as it was just looked at, where the caller has done that.
    """
    operation_id = transition.operation_id
    live = house.work.names(operation_id, but=own_claim)
    return CancelFacts(
        now=house.clock.now(),
        operation_id=operation_id,
        expiry=expiry(house, transition),
        worker=Worker.ACTIVE if live else Worker.INACTIVE,
        import_is_live=live and transition.resources_claimed_at is not None,
        updater=(seen or await sight(house, transition)).updater,
        own_name=await house.launcher.own_name(operation_id),
    )


async def recovery_facts(house: House, transition: Transition, *, own_claim: str | None) -> EmsRecoveryFacts:
    """Gather what is left of a start that was cut; `own_claim` is the entry of the caller itself."""
    return EmsRecoveryFacts(
        now=house.clock.now(),
        operation_id=transition.operation_id,
        worker=worker(house, transition.operation_id, but=own_claim),
        ems=running_ems(await house.engine.observe(), transition.ems_digest),
    )


def resume_facts(
    house: House, transition: Transition, operation_id: str | None, *, own_claim: str | None
) -> ResumeFacts:
    """Gather what going on asks of the operation that the request names; `own_claim` is the entry of the caller."""
    return ResumeFacts(
        now=house.clock.now(),
        operation_id=operation_id or "",
        expiry=expiry(house, transition),
        worker=worker(house, transition.operation_id, but=own_claim),
    )


async def retry_facts(house: House, transition: Transition) -> RetryFacts:
    """Gather what a second try needs to know of the first."""
    return RetryFacts(
        now=house.clock.now(),
        operation_id=transition.operation_id,
        expiry=expiry(house, transition),
        updater=await updater(house, transition),
    )


def running_admin(house: House) -> AdminIdentity | None:
    """Identify the Admin that answers; `None` when a word of it cannot be read."""
    own = house.own
    if own is None or own.digest is None:
        return None
    return AdminIdentity(image=own.image_id, digest=own.digest, build_id=own.build_id, revision=own.revision)


def running_ems(observation: Observation, digest: str) -> RunningEms:
    """Compare what the engine shows with the digest that an operation means."""
    if isinstance(observation, NotSeen):
        return RunningEms.UNKNOWN
    running = [seen for seen in observation.services if seen.state is ServiceState.RUNNING]
    if not running:
        unknown = any(seen.state is ServiceState.UNKNOWN for seen in observation.services)
        return RunningEms.UNKNOWN if unknown else RunningEms.ABSENT
    if any(seen.digest is None for seen in running):
        return RunningEms.UNKNOWN
    return RunningEms.EXACT if all(seen.digest == digest for seen in running) else RunningEms.OTHER


async def known_good(house: House) -> KnownGood | None:
    """Read B5 for a view; one that cannot be read is shown as none."""
    reading = await house.records.known_good.read()
    return reading.record if isinstance(reading, Present) else None


async def require_staying(house: House) -> None:
    """Refuse what writes while this Admin is handed over: its successor reads the records as they are (`site.md` 1.16).

    A B1 that cannot be read is in nobody's way here: whoever acts for an operation asks for it by name.
    Raises `RefusalError` with `system_transition_in_progress`.
    """
    reading = await house.records.transition.read()
    if isinstance(reading, Present) and is_handed_over(reading.record):
        raise RefusalError(Refusal(Code.SYSTEM_TRANSITION_IN_PROGRESS, detail=reading.record.stage))


async def require_mutable(house: House, *, mends: frozenset[Code] = frozenset()) -> None:
    """Refuse every mutation until the start-up check has passed and every directory can be written.

    `mends` names the verdicts that the mutation itself is there to cure.

    Raises `RefusalError` with `startup_check_failed`, `admin_data_not_writable` or `config_not_writable`.
    """
    if not house.startup.passed:
        startup = house.startup
        named = {} if startup.failed_at is None else {"at": startup.failed_at}
        raise RefusalError(Refusal(Code.STARTUP_CHECK_FAILED, detail=startup.failed_by, more=named))
    verdict = await house.installation.not_writable()
    if verdict is not None and verdict.code not in mends:
        raise RefusalError(Refusal(verdict.code, detail=verdict.detail))
