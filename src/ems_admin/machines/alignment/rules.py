"""The rules by which a System Alignment transition goes on: what must be true, and the code that says it is not.

The rules by which one is cancelled stand in `alignment_cancel.py`.
Source: `site.md` 3 (store operations, "Expiry"), `replacement.md` 7.6, 7.7, `seed 000` 5.5.
"""

from __future__ import annotations

from enum import StrEnum

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import (
    AdminClaimFacts,
    AgedFacts,
    ConflictFacts,
    EmsHealth,
    EmsRecoveryFacts,
    FailureFacts,
    HealthFacts,
    LiveConflict,
    OperationFacts,
    ReconnectFacts,
    ResourceClaimFacts,
    ResumeFacts,
    RetryFacts,
    RunningEms,
    Updater,
    Worker,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import HOLDS, Guard, guard
from ems_admin.machines.records.transition import SETUP_MODES, Mode, Stage, Transition


@guard(Code.OPERATION_MISMATCH)
def operation_is_exact(record: Transition, facts: OperationFacts) -> bool:
    """The operation that is named is the one on record."""
    return record.operation_id == facts.operation_id


@guard(Code.EXPIRED)
def not_proven_expired(_record: Transition, facts: AgedFacts) -> bool:
    """The operation is not proven to be older than its hour."""
    return facts.expiry is not Expiry.EXPIRED


# The Admin and its updater


@guard(Code.ADMIN_UPDATE_NOT_RUNNABLE)
def attempt_is_the_last(_record: Transition, facts: AdminClaimFacts) -> bool:
    """The updater belongs to the last attempt that was dispatched."""
    return facts.attempt == facts.last_attempt


@guard(Code.EXPIRED)
def admin_claim_is_open(record: Transition, facts: AdminClaimFacts) -> bool:
    """The operation is not proven expired, or this updater holds it already and only walks on."""
    return record.admin_update_claimed_at is not None or facts.expiry is not Expiry.EXPIRED


@guard(Code.REPLACEMENT_ACTIVE)
def admin_update_is_unclaimed(record: Transition, _facts: FailureFacts) -> bool:
    """No updater has claimed the operation."""
    return record.admin_update_claimed_at is None


@guard(Code.REPLACEMENT_ACTIVE)
def handover_is_settled(_record: Transition, facts: ReconnectFacts) -> bool:
    """The successor is noted as verified, or the updater is proven inactive: nobody rolls this Admin back."""
    return facts.walk_verified or facts.updater is Updater.INACTIVE


@guard(Code.ADMIN_UNVERIFIABLE)
def running_admin_is_known(_record: Transition, facts: ReconnectFacts) -> bool:
    """Digest, build id and revision of the running Admin can be read."""
    return None not in (facts.running_digest, facts.running_build_id, facts.running_revision)


@guard(Code.ADMIN_IDENTITY_MISMATCH)
def running_admin_is_the_target(record: Transition, facts: ReconnectFacts) -> bool:
    """The running Admin is the one that belongs to the build."""
    running = (facts.running_digest, facts.running_build_id, facts.running_revision)
    return running == (record.admin_digest, record.build_id, record.revision)


# Resources and the EMS


@guard(Code.MUTATION_IN_PROGRESS)
def nobody_imports(_record: Transition, facts: ResourceClaimFacts) -> bool:
    """No live import of this process holds the resources."""
    return not facts.import_is_live


@guard(Code.INVALID_TRANSITION)
def resources_are_claimed(record: Transition, _facts: OperationFacts) -> bool:
    """The import was claimed before it ran."""
    return record.resources_claimed_at is not None


@guard(Code.INVALID_TRANSITION)
def mode_starts_an_ems(record: Transition, _facts: OperationFacts) -> bool:
    """The operation is one that starts an EMS."""
    return record.mode is not Mode.ALIGN_EXISTING_INSTALL


@guard(Code.INVALID_TRANSITION)
def mode_keeps_the_ems(record: Transition, _facts: OperationFacts) -> bool:
    """The operation is one that leaves the running EMS as it is."""
    return record.mode is Mode.ALIGN_EXISTING_INSTALL


@guard(
    {
        Worker.ACTIVE: Code.TRANSITION_ACTIVE,
        Worker.UNKNOWN: Code.TRANSITION_WORKER_STATUS_UNAVAILABLE,
        Worker.INACTIVE: HOLDS,
    }
)
def start_is_orphaned(_record: Transition, facts: EmsRecoveryFacts | ResumeFacts) -> Worker:
    """The worker that claimed the start is proven to be gone."""
    return facts.worker


@guard(Code.INSTALL_STATE_UNAVAILABLE)
def running_ems_is_known(_record: Transition, facts: EmsRecoveryFacts) -> bool:
    """The engine has said which EMS runs."""
    return facts.ems is not RunningEms.UNKNOWN


@guard(Code.EMS_OPERATION_INTERRUPTED)
def start_came_through(_record: Transition, facts: EmsRecoveryFacts) -> bool:
    """Exactly the EMS of the build runs."""
    return facts.ems is RunningEms.EXACT


@guard(
    {
        EmsHealth.HEALTHY: HOLDS,
        EmsHealth.IDENTITY_UNVERIFIABLE: Code.EMS_IDENTITY_UNVERIFIABLE,
        EmsHealth.IDENTITY_MISMATCH: Code.EMS_IDENTITY_MISMATCH,
        EmsHealth.UNHEALTHY: Code.HEALTHCHECK_FAILED,
    }
)
def ems_is_healthy(_record: Transition, facts: HealthFacts) -> EmsHealth:
    """The EMS that runs is the one of the build, and it is well."""
    return facts.health


# Failure and retry


@guard(Code.INVALID_TRANSITION)
def failure_is_recorded(record: Transition, facts: FailureFacts) -> bool:
    """The failure is the one on record."""
    return record.error_code == facts.code


@guard(Code.INVALID_TRANSITION)
def admin_update_is_prepared_anew(record: Transition, _facts: OperationFacts) -> bool:
    """A retry is preparing the Admin update, which it does before it takes the retry edge."""
    return record.resume_stage is Stage.ADMIN_UPDATE_PENDING


@guard(
    {
        Updater.INACTIVE: HOLDS,
        Updater.RUNNING: Code.REPLACEMENT_ACTIVE,
        Updater.CREATED: Code.REPLACEMENT_ACTIVE,
        Updater.UNKNOWN: Code.INSTALL_STATE_UNAVAILABLE,
    }
)
def last_updater_is_inactive(_record: Transition, facts: RetryFacts) -> Updater:
    """The updater of the last attempt is proven inactive."""
    return facts.updater


class Over(StrEnum):
    """An operation that is over has one verdict."""

    OVER = "over"


@guard({Over.OVER: Code.NOT_RESUMABLE})
def something_is_left_to_do(_record: Transition, _facts: OperationFacts) -> Over:
    """The operation is not over. Asked only where it is, behind the question whether the right one is meant."""
    return Over.OVER


def resumes_at(stage: Stage) -> Guard[Transition, OperationFacts]:
    """Make the rule that picks the retry edge to one stage."""

    @guard(Code.NOT_RESUMABLE)
    def failure_resumes_there(record: Transition, _facts: OperationFacts) -> bool:
        """The failure on record resumes at the stage of this edge."""
        return record.resume_stage is stage

    return failure_resumes_there


@guard(Code.SYSTEM_ALIGNMENT_INCOMPLETE)
def failure_is_a_container_conflict(record: Transition, _facts: ConflictFacts) -> bool:
    """A Setup failed to start its EMS because another container bears the name, and nothing else is wrong."""
    failure = (record.failed_stage, record.resume_stage, record.error_code)
    conflict = (Stage.EMS_OPERATION_RUNNING, Stage.EMS_OPERATION_PENDING, Code.CONTAINER_NAME_CONFLICT)
    return record.mode in SETUP_MODES and failure == conflict


@guard(
    {
        LiveConflict.SAME: HOLDS,
        LiveConflict.CHANGED: Code.CONTAINER_CONFLICT_CHANGED,
        LiveConflict.UNKNOWN: Code.INSTALL_STATE_UNAVAILABLE,
    }
)
def conflict_is_as_decided(_record: Transition, facts: ConflictFacts) -> LiveConflict:
    """The container in the way is still the one that was decided about."""
    return facts.conflict
