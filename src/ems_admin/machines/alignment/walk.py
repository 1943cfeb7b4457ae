"""The way forward of a System Alignment transition: Admin, resources, EMS, health check.

Every step of the walk may be asked for again at its target, and then changes nothing. Expiry closes what has yet to
be claimed, never what runs already.

Source: `site.md` 3, `http.md` 5.5, `replacement.md` 7.3, 7.7, `seed 000` 5.5.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment import facts as asked
from ems_admin.machines.alignment import rules, writes
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Edge
from ems_admin.machines.records.transition import Stage

UPDATE_PENDING, RECONNECTING = Stage.ADMIN_UPDATE_PENDING, Stage.ADMIN_RECONNECT_PENDING
ALIGNED, VERIFIED = Stage.ADMIN_ALIGNED, Stage.RESOURCES_VERIFIED
EMS_PENDING, EMS_RUNNING = Stage.EMS_OPERATION_PENDING, Stage.EMS_OPERATION_RUNNING
CHECKING, FAILED = Stage.HEALTHCHECK_PENDING, Stage.FAILED_RECOVERABLE
COMPLETED, CANCELLED = Stage.COMPLETED, Stage.CANCELLED

WALK: Final = (UPDATE_PENDING, RECONNECTING, ALIGNED, VERIFIED, EMS_PENDING, EMS_RUNNING, CHECKING)
"""The stages of an operation that neither failed nor is over."""

EXACT: Final = (rules.operation_is_exact,)
IN_TIME: Final = (rules.operation_is_exact, rules.not_proven_expired)

ADMIN_EDGES: Final = (
    Edge(asked.HAND_OVER, UPDATE_PENDING, RECONNECTING, guards=EXACT, assigns=writes.touch),
    Edge(asked.HAND_OVER, RECONNECTING, RECONNECTING, guards=EXACT),
    Edge(
        asked.CLAIM_ADMIN_UPDATE,
        RECONNECTING,
        RECONNECTING,
        guards=(rules.operation_is_exact, rules.attempt_is_the_last, rules.admin_claim_is_open),
        assigns=writes.claim_admin_update,
    ),
    Edge(
        asked.END_UNCLAIMED_UPDATER,
        RECONNECTING,
        FAILED,
        guards=(rules.operation_is_exact, rules.admin_update_is_unclaimed),
        assigns=writes.fail,
    ),
    Edge(
        asked.RESUME_AFTER_ADMIN_RECONNECT,
        RECONNECTING,
        ALIGNED,
        guards=(*IN_TIME, rules.handover_is_settled, rules.running_admin_is_known, rules.running_admin_is_the_target),
        assigns=writes.touch,
    ),
    # A stranger that was proven is recorded. One that could not be read proves nothing, and moves nothing.
    Edge(
        asked.RESUME_AFTER_ADMIN_RECONNECT,
        RECONNECTING,
        FAILED,
        guards=(*IN_TIME, rules.handover_is_settled, rules.running_admin_is_known),
        unless=(rules.running_admin_is_the_target,),
        assigns=writes.fail_reconnect,
        answers=Code.ADMIN_IDENTITY_MISMATCH,
    ),
    Edge(
        asked.RESUME_AFTER_ADMIN_RECONNECT,
        ALIGNED,
        ALIGNED,
        guards=(rules.operation_is_exact, rules.running_admin_is_known, rules.running_admin_is_the_target),
    ),
)

RESOURCE_EDGES: Final = (
    Edge(
        asked.CLAIM_RESOURCE_VERIFICATION,
        ALIGNED,
        ALIGNED,
        guards=(*IN_TIME, rules.nobody_imports),
        assigns=writes.claim_resources,
    ),
    Edge(
        asked.RESOURCES_VERIFIED,
        ALIGNED,
        VERIFIED,
        guards=(rules.operation_is_exact, rules.resources_are_claimed),
        assigns=writes.touch,
    ),
    Edge(asked.RESOURCES_VERIFIED, VERIFIED, VERIFIED, guards=EXACT),
)

EMS_EDGES: Final = (
    Edge(
        asked.REQUEST_EMS_OPERATION,
        VERIFIED,
        EMS_PENDING,
        guards=(rules.operation_is_exact, rules.mode_starts_an_ems, rules.not_proven_expired),
        assigns=writes.touch,
    ),
    Edge(asked.REQUEST_EMS_OPERATION, EMS_PENDING, EMS_PENDING, guards=EXACT),
    Edge(asked.START_EMS_OPERATION, EMS_PENDING, EMS_RUNNING, guards=EXACT, assigns=writes.touch),
    Edge(asked.START_EMS_OPERATION, EMS_RUNNING, EMS_RUNNING, guards=EXACT),
    Edge(asked.EMS_STARTED, EMS_RUNNING, CHECKING, guards=EXACT, assigns=writes.touch),
    Edge(asked.EMS_STARTED, CHECKING, CHECKING, guards=EXACT),
    Edge(
        asked.RECOVER_EMS_OPERATION,
        EMS_RUNNING,
        CHECKING,
        guards=(
            rules.operation_is_exact,
            rules.start_is_orphaned,
            rules.running_ems_is_known,
            rules.start_came_through,
        ),
        assigns=writes.touch,
    ),
    Edge(
        asked.RECOVER_EMS_OPERATION,
        EMS_RUNNING,
        FAILED,
        guards=(rules.operation_is_exact, rules.start_is_orphaned, rules.running_ems_is_known),
        unless=(rules.start_came_through,),
        assigns=writes.fail_recovery,
    ),
)

HEALTH_EDGES: Final = (
    Edge(
        asked.REQUEST_HEALTHCHECK,
        VERIFIED,
        CHECKING,
        guards=(rules.operation_is_exact, rules.mode_keeps_the_ems),
        assigns=writes.touch,
    ),
    Edge(asked.REQUEST_HEALTHCHECK, CHECKING, CHECKING, guards=EXACT),
    Edge(
        asked.HEALTHCHECKED,
        CHECKING,
        COMPLETED,
        guards=(rules.operation_is_exact, rules.ems_is_healthy),
        assigns=writes.touch,
    ),
    Edge(
        asked.HEALTHCHECKED,
        CHECKING,
        FAILED,
        guards=EXACT,
        unless=(rules.ems_is_healthy,),
        assigns=writes.fail_healthcheck,
    ),
    Edge(asked.HEALTHCHECKED, COMPLETED, COMPLETED, guards=(rules.operation_is_exact, rules.ems_is_healthy)),
)

WALK_EDGES: Final = (*ADMIN_EDGES, *RESOURCE_EDGES, *EMS_EDGES, *HEALTH_EDGES)
