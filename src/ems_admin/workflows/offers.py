"""What can be done right now, and for everything else the reason why not.

Nothing is decided twice here: each reason is the refusal that the act itself would meet first. The console draws its
buttons from this, and the State screen says why each one is off.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.alignment_facts import CANCEL, RESUME, ResumeFacts
from ems_admin.machines.alignment_outlook import is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.lifecycle_claims import SetupClaim, setup_claim
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.refusals import Action, Method
from ems_admin.machines.setup_authority import Stored, authority_refusal, stored
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.machines.work_entries import name_holder
from ems_admin.machines.work_kinds import SETUP_KINDS
from ems_admin.machines.workflow_lifecycle import Lifecycle, Owner
from ems_admin.workflows import alignment, standing
from ems_admin.workflows.authority import RESOURCE_STAGES
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle import Reads
from ems_admin.workflows.ports.files import Content

START_SETUP: Final = Action("start_setup", "Guided Setup", Method.POST, "/api/admin/start-path")
PREPARE_BUILD: Final = Action("prepare_build", "Fetch this build", Method.POST, "/api/setup/releases/prepare")
REVIEW: Final = Action("preview_config", "Review the configuration", Method.POST, "/api/setup/config-preview")
APPLY: Final = Action("apply_config", "Apply it now", Method.POST, "/api/setup/config/apply")
WRITE: Final = Action("write_config", "Keep it for the deployment", Method.POST, "/api/setup/config/write")


@frozen(kw_only=True)
class Offered:
    """One button: what it does, and what stands against it."""

    action: Action
    refusal: Refusal | None


@frozen(kw_only=True)
class Situation:
    """What every reason is read from."""

    house: House
    lifecycle: Lifecycle
    setup: GuidedSetup | None
    transition: Transition | None


async def offers(house: House, reads: Reads, lifecycle: Lifecycle) -> tuple[Offered, ...]:
    """List every act of this console with what stands against it now."""
    now = Situation(
        house=house,
        lifecycle=lifecycle,
        setup=reads.setup.record if isinstance(reads.setup, Present) else None,
        transition=reads.transition.record if isinstance(reads.transition, Present) else None,
    )
    mutation = _unready(now) or _not_active(now) or _busy(now)
    resources = mutation or _resources(now)
    preview = mutation or _preview(now) or _resources(now)
    return (
        Offered(action=START_SETUP, refusal=_unready(now) or _start(now)),
        Offered(action=PREPARE_BUILD, refusal=mutation),
        Offered(action=REVIEW, refusal=_unready(now) or _not_active(now) or _no_build(now)),
        Offered(action=APPLY, refusal=preview),
        Offered(action=WRITE, refusal=preview),
        Offered(action=alignment.PREPARE, refusal=resources or await _generated(now)),
        Offered(action=alignment.START, refusal=resources or await _prepared(now)),
        Offered(action=alignment.RESUME, refusal=_unready(now) or _resume(now)),
        Offered(action=alignment.ABANDON, refusal=_unready(now) or await _abandon(now)),
    )


def _unready(now: Situation) -> Refusal | None:
    startup = now.house.startup
    return None if startup.passed else Refusal(Code.STARTUP_CHECK_FAILED, detail=startup.failed_by)


def _not_active(now: Situation) -> Refusal | None:
    if now.lifecycle.owner is Owner.UNKNOWN:
        return Refusal(Code.WORKFLOW_STATE_MALFORMED)
    # A page without an active setup names none: it is told to begin one, not that its own has ended.
    named = now.setup.workflow_id if now.setup and stored(now.setup) is Stored.ACTIVE else None
    return authority_refusal(now.setup, named)


def _busy(now: Situation) -> Refusal | None:
    holder = now.house.work.holder
    if holder is None:
        return None
    code = Code.SETUP_OPERATION_IN_PROGRESS if holder.kind in SETUP_KINDS else Code.WORK_IN_PROGRESS
    return name_holder(Refusal(code), now.house.work.running)


def _start(now: Situation) -> Refusal | None:
    if now.setup is not None and setup_claim(now.setup) in {SetupClaim.CLEANUP_PENDING, SetupClaim.REVIEW_REQUIRED}:
        return Refusal(Code.SETUP_CLEANUP_REQUIRED, detail=now.setup.cleanup.state)
    if now.lifecycle.owner is Owner.UNKNOWN:
        return Refusal(Code.WORKFLOW_STATE_MALFORMED)
    free = now.lifecycle.owner in {Owner.GUIDED_SETUP, Owner.NONE}
    return None if free else Refusal(Code.WORKFLOW_SWITCH_REQUIRED, detail=now.lifecycle.owner)


def _no_build(now: Situation) -> Refusal | None:
    chosen = now.setup is not None and now.setup.selected_system_tag is not None
    return None if chosen else Refusal(Code.RELEASE_NOT_PREPARED)


def _preview(now: Situation) -> Refusal | None:
    shown = now.setup is not None and now.setup.preview is not None
    return None if shown else Refusal(Code.SETUP_PREVIEW_REQUIRED)


def _resources(now: Situation) -> Refusal | None:
    own = now.transition is not None and now.setup is not None and now.transition.operation_id == now.setup.operation_id
    verified = own and now.transition is not None and now.transition.stage in RESOURCE_STAGES
    return None if verified else Refusal(Code.SYSTEM_ALIGNMENT_INCOMPLETE)


async def _generated(now: Situation) -> Refusal | None:
    workflow_id = now.setup.workflow_id if now.setup else ""
    written = isinstance(await now.house.setup_files.generated_config(workflow_id), Content)
    return None if written else Refusal(Code.GENERATED_CONFIG_MISSING)


async def _prepared(now: Situation) -> Refusal | None:
    marker = await now.house.records.marker.read()
    return Refusal(Code.DEPLOYMENT_NOT_PREPARED) if isinstance(marker, Absent) else None


def _resume(now: Situation) -> Refusal | None:
    if now.transition is None:
        return Refusal(Code.NO_TRANSITION)
    facts = ResumeFacts(
        now=now.house.clock.now(),
        operation_id=now.transition.operation_id,
        expiry=standing.expiry(now.house, now.transition),
        worker=standing.worker(now.house, now.transition.operation_id),
    )
    decision = SYSTEM_ALIGNMENT.decide(now.transition, RESUME, facts)
    return decision.refusal if isinstance(decision, Refused) else _busy(now)


async def _abandon(now: Situation) -> Refusal | None:
    if now.setup is None:
        return Refusal(Code.SETUP_WORKFLOW_REQUIRED)
    if setup_claim(now.setup) is SetupClaim.NONE:
        return Refusal(Code.SETUP_WORKFLOW_NOT_ACTIVE)
    if busy := _busy(now):
        return busy
    if now.transition is None or is_terminal(now.transition):
        return None
    facts = await standing.cancel_facts(now.house, now.transition)
    decision = SYSTEM_ALIGNMENT.decide(now.transition, CANCEL, facts)
    return decision.refusal if isinstance(decision, Refused) else None
