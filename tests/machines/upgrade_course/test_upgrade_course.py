"""How a Guided Upgrade goes on, and how its steps are told."""

from __future__ import annotations

from attrs import evolve

from ems_admin.machines.alignment.outlook import Place, ResumeStep, resume_step
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.machines.upgrade.course import (
    REPORTED,
    UPGRADE_COURSE,
    Part,
    Standing,
    WayBack,
    belongs,
    next_part,
    way_back_of,
)
from ems_admin.machines.upgrade.groundwork import NamedOperation, integrity_of, is_whole, named_operation, sealed
from ems_admin.machines.upgrade.steps import STEPS, Step, StepStanding, steps_as_they_stand, steps_of
from tests.machines.verdicts import questions, replay, texts, unused
from tests.stores.records import MARKER, TRANSITION, UPGRADE

DUE = sealed(UPGRADE, backup_completed=False, backup_reference=None, backup_verified=False)
OPERATION = evolve(
    TRANSITION,
    mode=Mode.GUIDED_UPGRADE,
    admin_alignment_required=True,
    system_tag=UPGRADE.target_system_tag,
    request_fingerprint=UPGRADE.request_fingerprint,
)


def standings(stage: Stage, context: UpgradeContext = UPGRADE) -> dict[Step, StepStanding]:
    shown = steps_as_they_stand(evolve(OPERATION, stage=stage), context)
    return {view.key: view.standing for view in shown}


def next_of(stage: Stage, context: UpgradeContext = UPGRADE) -> Step | None:
    found = [step for step, standing in standings(stage, context).items() if standing is StepStanding.NEXT]
    assert len(found) <= 1
    return found[0] if found else None


def test_an_upgrade_goes_on_as_written() -> None:
    """`site.md` 3, 9."""
    (path,) = texts(__file__)
    text = path.read_text(encoding="utf-8")
    assert replay(text, Standing, lambda asked: str(UPGRADE_COURSE.classify(asked))) == text
    assert not unused(UPGRADE_COURSE, list(questions(text, Standing)))


def test_what_the_resume_of_the_operation_only_reports_is_left_to_that_of_the_upgrade() -> None:
    reported = {
        stage for stage in Stage if resume_step(evolve(OPERATION, stage=stage), Place.TARGET) is ResumeStep.REPORT
    }
    assert reported == REPORTED


def test_a_context_belongs_to_exactly_its_own_operation() -> None:
    assert belongs(UPGRADE, OPERATION)
    for changed in ({"operation_id": "f" * 32}, {"target_system_tag": "v9"}, {"request_fingerprint": "0" * 64}):
        assert not belongs(sealed(UPGRADE, **changed), OPERATION)


def test_whoever_edits_a_context_breaks_its_seal() -> None:
    """`site.md` 4: integrity is the SHA-256 over the rest."""
    assert is_whole(UPGRADE)
    assert UPGRADE.integrity == integrity_of(evolve(UPGRADE, integrity="anything"))
    assert not is_whole(evolve(UPGRADE, backup_completed=not UPGRADE.backup_completed))


def test_a_context_names_an_operation_that_lives_only_while_that_is_not_over() -> None:
    assert named_operation(None, OPERATION) is named_operation(UPGRADE, None) is NamedOperation.OVER
    assert named_operation(UPGRADE, evolve(OPERATION, operation_id="f" * 32)) is NamedOperation.OVER
    assert named_operation(UPGRADE, evolve(OPERATION, stage=Stage.CANCELLED)) is NamedOperation.OVER
    assert named_operation(UPGRADE, evolve(OPERATION, stage=Stage.FAILED_RECOVERABLE)) is NamedOperation.LIVE


def test_the_backup_comes_first_also_when_the_admin_is_prepared_once_more() -> None:
    failed = evolve(OPERATION, stage=Stage.FAILED_RECOVERABLE, resume_stage=Stage.ADMIN_UPDATE_PENDING)
    assert next_part(failed, DUE, None, Place.ELSEWHERE) is Part.BACK_UP
    assert next_part(failed, UPGRADE, None, Place.ELSEWHERE) is Part.UPDATE_ADMIN


def test_a_way_back_is_seen_by_what_was_put_back() -> None:
    mine = evolve(MARKER, release=OPERATION.system_tag)
    taken_back = sealed(UPGRADE, migration_required=True, migration_completed=False)
    assert way_back_of(OPERATION, UPGRADE, None) is way_back_of(OPERATION, UPGRADE, mine) is WayBack.NONE
    assert way_back_of(OPERATION, UPGRADE, evolve(MARKER, release="v0")) is WayBack.BEGUN
    assert way_back_of(OPERATION, taken_back, mine) is WayBack.BEGUN


def test_the_steps_stand_in_the_order_of_the_specification() -> None:
    """`site.md` 9; the Admin's alignment is told in two steps, because one can be stopped and the other cannot."""
    assert [str(step.step) for step in STEPS] == [
        "verify_build",
        "preflight",
        "migration_review",
        "backup",
        "migration",
        "admin",
        "handover",
        "resources",
        "config_check",
        "pull",
        "update_stack",
        "recreate_ems",
        "diagnostics",
        "known_good",
    ]
    assert set(Step) == {step.step for step in STEPS}
    assert all(step.because.endswith(".") for step in STEPS)


def test_only_what_was_chosen_or_is_needed_is_a_step() -> None:
    options = evolve(UPGRADE.options, backup=False, config_check=False)
    left_out = set(Step) - {step.step for step in steps_of(options, migration=False, admin=False)}
    assert left_out == {Step.BACKUP, Step.MIGRATION, Step.ADMIN, Step.HANDOVER, Step.CONFIG_CHECK}
    assert len(steps_of(UPGRADE.options, migration=True, admin=True)) == len(STEPS)


def test_steps_are_settled_by_what_is_on_record() -> None:
    assert next_of(Stage.ADMIN_UPDATE_PENDING, DUE) is Step.BACKUP
    assert next_of(Stage.ADMIN_UPDATE_PENDING) is Step.ADMIN
    assert next_of(Stage.ADMIN_RECONNECT_PENDING) is Step.HANDOVER
    assert next_of(Stage.ADMIN_ALIGNED) is Step.RESOURCES
    assert next_of(Stage.RESOURCES_VERIFIED) is Step.CONFIG_CHECK
    assert next_of(Stage.EMS_OPERATION_PENDING) is Step.UPDATE_STACK
    assert next_of(Stage.EMS_OPERATION_RUNNING) is Step.RECREATE_EMS
    assert next_of(Stage.HEALTHCHECK_PENDING) is Step.DIAGNOSTICS
    assert next_of(Stage.COMPLETED) is None
    assert standings(Stage.RESOURCES_VERIFIED)[Step.PULL] is StepStanding.OPEN
    assert standings(Stage.RESOURCES_VERIFIED)[Step.RESOURCES] is StepStanding.SETTLED


def test_a_failed_upgrade_stands_where_it_resumes() -> None:
    failed = evolve(OPERATION, stage=Stage.FAILED_RECOVERABLE, resume_stage=Stage.EMS_OPERATION_PENDING)
    shown = {view.key: view.standing for view in steps_as_they_stand(failed, UPGRADE)}
    assert (shown[Step.PULL], shown[Step.UPDATE_STACK]) == (StepStanding.SETTLED, StepStanding.NEXT)
