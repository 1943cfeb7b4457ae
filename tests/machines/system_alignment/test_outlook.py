"""What the table of the stages promises of how an operation goes on."""

from __future__ import annotations

from typing import Final

import attrs
import pytest

from ems_admin.machines.alignment.course import CLOSED_BY_AGE, GoesOnBy, goes_on_by
from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import RETRY, CancelFacts, OwnName, RetryFacts, Updater, Worker
from ems_admin.machines.alignment.outlook import (
    Place,
    ResumeStep,
    cancel_available,
    failure_fits,
    is_pending,
    is_terminal,
    place_of,
    resources_are_ready,
    resume_available,
    resume_step,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refused
from ems_admin.machines.records.transition import AdminIdentity, Mode, Stage
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from tests.machines.samples import TEN, operation

SETUP, UPGRADE, ALIGN = Mode.AUTOMATED_SETUP, Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL

NOBODY: Final = CancelFacts(
    now=TEN,
    operation_id="op1",
    expiry=Expiry.FRESH,
    worker=Worker.INACTIVE,
    import_is_live=False,
    updater=Updater.INACTIVE,
    own_name=OwnName.HELD,
)

PATHS: Final = (
    (Stage.ADMIN_UPDATE_PENDING, UPGRADE, GoesOnBy.RESUME, ResumeStep.UPDATE_ADMIN),
    (Stage.ADMIN_RECONNECT_PENDING, UPGRADE, GoesOnBy.RESUME, ResumeStep.PROVE_ADMIN),
    (Stage.ADMIN_ALIGNED, SETUP, GoesOnBy.VERIFY_RESOURCES, ResumeStep.VERIFY_RESOURCES),
    (Stage.ADMIN_ALIGNED, UPGRADE, GoesOnBy.VERIFY_RESOURCES, ResumeStep.VERIFY_RESOURCES),
    (Stage.RESOURCES_VERIFIED, SETUP, GoesOnBy.PREPARE_AND_START, ResumeStep.REPORT),
    (Stage.RESOURCES_VERIFIED, UPGRADE, GoesOnBy.UPGRADE_RESUME, ResumeStep.REPORT),
    (Stage.RESOURCES_VERIFIED, ALIGN, GoesOnBy.RESUME, ResumeStep.CHECK_HEALTH),
    (Stage.EMS_OPERATION_PENDING, SETUP, GoesOnBy.START, ResumeStep.REPORT),
    (Stage.EMS_OPERATION_PENDING, UPGRADE, GoesOnBy.UPGRADE_RESUME, ResumeStep.REPORT),
    (Stage.EMS_OPERATION_RUNNING, SETUP, GoesOnBy.RESUME, ResumeStep.RECOVER_EMS),
    (Stage.HEALTHCHECK_PENDING, ALIGN, GoesOnBy.RESUME, ResumeStep.CHECK_HEALTH),
    (Stage.FAILED_RECOVERABLE, SETUP, GoesOnBy.RESUME, ResumeStep.RETRY),
    (Stage.COMPLETED, SETUP, GoesOnBy.NOTHING, ResumeStep.REFUSE),
    (Stage.CANCELLED, UPGRADE, GoesOnBy.NOTHING, ResumeStep.REFUSE),
)


@pytest.mark.parametrize(("stage", "mode", "by", "step"), PATHS)
def test_each_stage_goes_on_by_one_command(stage: Stage, mode: Mode, by: GoesOnBy, step: ResumeStep) -> None:
    """`site.md` 3."""
    assert goes_on_by(operation(stage, mode), Place.TARGET, Expiry.FRESH) is by
    assert resume_step(operation(stage, mode), Place.TARGET) is step


def test_a_failed_replacement_is_prepared_before_its_retry_edge_is_taken() -> None:
    """`replacement.md` 7.2."""
    failed = attrs.evolve(operation(Stage.FAILED_RECOVERABLE), resume_stage=Stage.ADMIN_UPDATE_PENDING)
    for place in Place:
        assert resume_step(failed, place) is ResumeStep.RETRY_ADMIN_UPDATE
        assert goes_on_by(failed, place, Expiry.FRESH) is GoesOnBy.RESUME


def test_while_the_admin_is_replaced_every_other_one_waits() -> None:
    record = operation(Stage.ADMIN_RECONNECT_PENDING, UPGRADE)
    assert goes_on_by(record, Place.ELSEWHERE, Expiry.EXPIRED) is GoesOnBy.WAITING
    assert resume_step(record, Place.ELSEWHERE) is ResumeStep.REPORT


def test_an_admin_that_cannot_name_itself_is_told_so_by_the_proof() -> None:
    record = operation(Stage.ADMIN_RECONNECT_PENDING, UPGRADE)
    assert resume_step(record, Place.UNKNOWN) is ResumeStep.PROVE_ADMIN


def test_the_target_is_known_by_digest_build_and_revision_together() -> None:
    record = operation(Stage.ADMIN_RECONNECT_PENDING)
    target = AdminIdentity(image="anything", digest="a2", build_id="b2", revision="r2")
    assert place_of(record, target) is Place.TARGET
    for field in ("digest", "build_id", "revision"):
        assert place_of(record, attrs.evolve(target, **{field: "x"})) is Place.ELSEWHERE
    assert place_of(record, None) is Place.UNKNOWN


def test_the_panel_offers_to_resume_from_the_ems_operation_on() -> None:
    """`site.md` 3."""
    offered = {stage for stage in Stage if resume_available(operation(stage), Expiry.FRESH)}
    assert offered == {
        Stage.EMS_OPERATION_PENDING,
        Stage.EMS_OPERATION_RUNNING,
        Stage.HEALTHCHECK_PENDING,
        Stage.FAILED_RECOVERABLE,
    }
    assert {stage for stage in Stage if resume_available(operation(stage), Expiry.UNPROVEN)} == offered
    assert not any(resume_available(operation(stage), Expiry.EXPIRED) for stage in Stage)


def test_an_operation_is_pending_until_it_is_over() -> None:
    assert {stage for stage in Stage if not is_pending(operation(stage))} == {Stage.COMPLETED, Stage.CANCELLED}
    assert not is_pending(None)
    assert is_terminal(operation(Stage.CANCELLED))


def test_config_and_deployment_wait_for_verified_resources() -> None:
    ready = {stage for stage in Stage if resources_are_ready(operation(stage))}
    assert ready == {Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING}


def test_a_fresh_operation_can_be_cancelled_where_nothing_mutates() -> None:
    open_stages = {stage for stage in Stage if cancel_available(operation(stage), NOBODY)}
    assert open_stages == {
        Stage.ADMIN_UPDATE_PENDING,
        Stage.ADMIN_RECONNECT_PENDING,
        Stage.ADMIN_ALIGNED,
        Stage.RESOURCES_VERIFIED,
        Stage.EMS_OPERATION_PENDING,
        Stage.FAILED_RECOVERABLE,
    }


def test_an_operation_of_unproven_age_can_be_cancelled_wherever_it_stands() -> None:
    facts = attrs.evolve(NOBODY, expiry=Expiry.UNPROVEN)
    assert {stage for stage in Stage if not cancel_available(operation(stage), facts)} == {
        Stage.COMPLETED,
        Stage.CANCELLED,
    }


def test_nothing_is_cancelled_around_a_live_worker() -> None:
    facts = attrs.evolve(NOBODY, expiry=Expiry.EXPIRED, worker=Worker.ACTIVE)
    assert not any(cancel_available(operation(stage), facts) for stage in Stage)


def test_a_failure_on_a_stage_that_did_not_fail_was_not_written_by_the_machine() -> None:
    assert all(failure_fits(operation(stage)) for stage in Stage)
    assert not failure_fits(attrs.evolve(operation(Stage.ADMIN_ALIGNED), error_code="internal_error"))
    assert not failure_fits(attrs.evolve(operation(Stage.COMPLETED), error_message="left over"))
    assert not failure_fits(attrs.evolve(operation(Stage.FAILED_RECOVERABLE), resume_stage=None))


def test_a_failure_that_does_not_say_where_it_resumes_is_not_retried() -> None:
    record = attrs.evolve(operation(Stage.FAILED_RECOVERABLE), resume_stage=None)
    facts = RetryFacts(now=TEN, operation_id="op1", expiry=Expiry.FRESH, updater=Updater.INACTIVE)
    decision = SYSTEM_ALIGNMENT.decide(record, RETRY, facts)
    assert isinstance(decision, Refused)
    assert decision.refusal.code is Code.NOT_RESUMABLE


def test_an_operation_of_a_setup_whose_hour_is_over_is_begun_anew_wherever_age_closes_its_way() -> None:
    """`site.md` 3, Expiry: not where a start was claimed, and not on the word of a clock that proves nothing."""
    for stage in Stage:
        record = operation(stage, SETUP)
        closed = stage in CLOSED_BY_AGE
        assert (goes_on_by(record, Place.TARGET, Expiry.EXPIRED) is GoesOnBy.BEGIN_ANEW) is closed
        assert (goes_on_by(record, Place.ELSEWHERE, Expiry.EXPIRED) is GoesOnBy.UPDATE_ADMIN_ANEW) is closed
        for other in (UPGRADE, ALIGN):
            anew = {GoesOnBy.BEGIN_ANEW, GoesOnBy.UPDATE_ADMIN_ANEW}
            assert goes_on_by(operation(stage, other), Place.TARGET, Expiry.EXPIRED) not in anew
        fresh = goes_on_by(record, Place.TARGET, Expiry.FRESH)
        assert goes_on_by(record, Place.TARGET, Expiry.UNPROVEN) is fresh
