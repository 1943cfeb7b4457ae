"""The System Alignment transition (B1): from a chosen System Build to an Admin and an EMS of that build.

What an operation is stays fixed; its stage moves. Start-up never moves it: whoever wants to go on resumes it. Every
stage that is not final may fail, and a failure says where it resumes. An operation that is over is replaced by a new
one, never revived.

Source: `site.md` 3, `http.md` 5.5, `replacement.md` 7.3, 7.4, 7.6, `seed 000` 5.3, 5.5.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from ems_admin.machines.alignment import cancel, rules, writes
from ems_admin.machines.alignment import facts as asked
from ems_admin.machines.alignment.walk import (
    ALIGNED,
    CANCELLED,
    CHECKING,
    COMPLETED,
    EMS_PENDING,
    EMS_RUNNING,
    EXACT,
    FAILED,
    IN_TIME,
    RECONNECTING,
    UPDATE_PENDING,
    VERIFIED,
    WALK,
    WALK_EDGES,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Beginning, Edge, Machine, Regions
from ems_admin.machines.records.transition import Stage, Transition

FAILURE_EDGES: Final = (
    Edge(asked.MARK_FAILED, WALK, FAILED, guards=EXACT, assigns=writes.fail),
    Edge(asked.MARK_FAILED, FAILED, FAILED, guards=(rules.operation_is_exact, rules.failure_is_recorded)),
    Edge(
        asked.MARK_FAILED,
        FAILED,
        FAILED,
        guards=(rules.operation_is_exact, rules.admin_update_is_prepared_anew),
        unless=(rules.failure_is_recorded,),
        assigns=writes.fail_again,
    ),
)

# What is closed by expiry is work that has yet to be claimed; a start or a check under way is always finished.
RESUME_EDGES: Final = (
    *(Edge(asked.RESUME, stage, stage, guards=IN_TIME) for stage in (*WALK[:5], FAILED)),
    Edge(asked.RESUME, EMS_RUNNING, EMS_RUNNING, guards=(rules.operation_is_exact, rules.start_is_orphaned)),
    Edge(asked.RESUME, CHECKING, CHECKING, guards=EXACT),
    *(
        Edge(asked.RESUME, over, over, guards=(rules.operation_is_exact, rules.something_is_left_to_do))
        for over in (COMPLETED, CANCELLED)
    ),
)

RESUMES_AT_ADMIN_UPDATE: Final = rules.resumes_at(UPDATE_PENDING)

RETRY_EDGES: Final = (
    Edge(
        asked.RETRY,
        FAILED,
        UPDATE_PENDING,
        guards=(*IN_TIME, RESUMES_AT_ADMIN_UPDATE, rules.last_updater_is_inactive),
        assigns=writes.retry_admin_update,
    ),
    *(
        Edge(
            asked.RETRY,
            FAILED,
            stage,
            guards=(*IN_TIME, rules.resumes_at(stage)),
            unless=(RESUMES_AT_ADMIN_UPDATE,),
            assigns=writes.retry_resources if stage is ALIGNED else writes.settle,
        )
        for stage in (ALIGNED, VERIFIED, EMS_PENDING, CHECKING)
    ),
    Edge(
        asked.RESOLVE_CONTAINER_CONFLICT,
        FAILED,
        EMS_PENDING,
        guards=(
            rules.operation_is_exact,
            rules.failure_is_a_container_conflict,
            rules.not_proven_expired,
            rules.conflict_is_as_decided,
        ),
        assigns=writes.settle,
    ),
)

CANCEL_EDGES: Final = (
    Edge(
        asked.CANCEL,
        (UPDATE_PENDING, ALIGNED, VERIFIED, EMS_PENDING, FAILED),
        CANCELLED,
        guards=(rules.operation_is_exact, cancel.no_import_is_cut, cancel.nobody_works, cancel.no_updater_runs),
        assigns=writes.settle,
    ),
    Edge(
        asked.CANCEL,
        RECONNECTING,
        CANCELLED,
        guards=(rules.operation_is_exact, cancel.nobody_works, cancel.handover_is_over),
        assigns=writes.settle,
    ),
    Edge(
        asked.CANCEL,
        (EMS_RUNNING, CHECKING),
        CANCELLED,
        guards=(rules.operation_is_exact, cancel.stage_is_escapable, cancel.nobody_works, cancel.no_updater_runs),
        assigns=writes.settle,
    ),
    Edge(asked.CANCEL, CANCELLED, CANCELLED, guards=EXACT),
    Edge(asked.CANCEL, COMPLETED, COMPLETED, guards=(rules.operation_is_exact, rules.something_is_left_to_do)),
)

TRANSITION: Final = Machine[Transition, Stage](
    name="system_alignment",
    states=Stage,
    reads=lambda record: record.stage,
    writes=lambda record, stage: evolve(record, stage=stage),
    initial=(UPDATE_PENDING, ALIGNED),
    final=(COMPLETED, CANCELLED),
    codes=Code,
    edges=(
        *WALK_EDGES,
        *FAILURE_EDGES,
        *RESUME_EDGES,
        *RETRY_EDGES,
        *CANCEL_EDGES,
    ),
    otherwise={
        asked.HAND_OVER: Code.INVALID_TRANSITION,
        asked.CLAIM_ADMIN_UPDATE: Code.ADMIN_UPDATE_NOT_RUNNABLE,
        asked.END_UNCLAIMED_UPDATER: Code.INVALID_TRANSITION,
        asked.RESUME_AFTER_ADMIN_RECONNECT: Code.INVALID_TRANSITION,
        asked.CLAIM_RESOURCE_VERIFICATION: Code.INVALID_TRANSITION,
        asked.RESOURCES_VERIFIED: Code.INVALID_TRANSITION,
        asked.REQUEST_EMS_OPERATION: Code.INVALID_TRANSITION,
        asked.START_EMS_OPERATION: Code.INVALID_TRANSITION,
        asked.EMS_STARTED: Code.INVALID_TRANSITION,
        asked.RECOVER_EMS_OPERATION: Code.INVALID_TRANSITION,
        asked.REQUEST_HEALTHCHECK: Code.INVALID_TRANSITION,
        asked.HEALTHCHECKED: Code.INVALID_TRANSITION,
        asked.MARK_FAILED: Code.INVALID_TRANSITION,
        asked.RETRY: Code.NOT_RESUMABLE,
        asked.RESOLVE_CONTAINER_CONFLICT: Code.SYSTEM_ALIGNMENT_INCOMPLETE,
    },
)

SYSTEM_ALIGNMENT: Final = Regions[Transition](
    name="system_alignment",
    begins=Beginning(asked.BEGIN, creates=writes.begin, otherwise=Code.TRANSITION_ACTIVE),
    absent=Code.NO_TRANSITION,
    machines=(TRANSITION,),
)
