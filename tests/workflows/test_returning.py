"""The way back to the running build (`seed 000` 3 rows 18a, 18b, 5.6; `site.md` 9)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.alignment.returning import return_to_running_build
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.jobs import Job, JobStatus
from ems_admin.workflows.ports.identity import KnownIdentity
from tests.memory.house import OWN, TAG
from tests.workflows.foreign import failed_upgrade, operation
from tests.workflows.places import failed
from tests.workflows.scene import B0, B1, B5, B6, CONFIG, UNPROVABLE, PowerCut, Scene

RUNNING_EMS = "/running-ems"
BOTH = pytest.mark.parametrize("mode", [Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL])


def returning(scene: Scene, *, confirm: bool = True, **changes: Any) -> Coroutine[Any, Any, Job]:
    operation_id = changes.get("operation_id", ...)
    if operation_id is ...:
        operation_id = scene.transition.operation_id
    return return_to_running_build(scene.house, scene.caller, operation_id, confirm=confirm)


@BOTH
def test_the_failed_operation_ends_and_another_one_brings_the_admin_back(mode: Mode) -> None:
    """Row 18b: the old operation is cancelled, a new `align_existing_install` begins, B6 stays with the old one.

    `seed 000` 5.2.
    """
    scene = failed_upgrade(mode)
    old, before = scene.transition.operation_id, scene.files
    scene.durable.clear()
    job = scene.do(returning(scene))
    begun = scene.transition
    assert scene.durable[:2] == [B1, B1], "cancelled first, then begun"
    assert begun.operation_id not in {old, None}
    assert (begun.mode, begun.stage) == (Mode.ALIGN_EXISTING_INSTALL, Stage.ADMIN_UPDATE_PENDING)
    good = scene.record(B5, KnownGood)
    assert (begun.system_tag, begun.build_id, begun.ems_digest) == (TAG, good.build_id, good.ems_digest)
    assert begun.admin_digest == OWN.digest, "the Admin of the build that runs, not the one that answers"
    assert (job.kind, job.operation_id, job.status) == (WorkKind.BUILD_RETURN, begun.operation_id, JobStatus.RUNNING)
    for name in (B0, B5, B6, CONFIG, RUNNING_EMS):
        assert scene.files[name] == before[name], name


def test_the_job_hands_the_admin_over() -> None:
    scene = failed_upgrade()
    job = scene.job(returning(scene))
    assert (job.status, job.error, job.reconnect) == (JobStatus.SUCCEEDED, None, True)
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING
    assert scene.house.work.holder is None


def test_the_old_admin_goes_on_to_the_health_check_and_starts_no_ems() -> None:
    """`site.md` 9: Admin alignment, resources, then the health check of the EMS that runs already."""
    scene = failed_upgrade()
    scene.job(returning(scene))
    back = scene.restart()  # the Admin of the known-good build is the one that answers now
    back.site.world.host.containers.clear()
    ems = back.files[RUNNING_EMS]
    stages = []
    for _ in range(2):
        back.durable.clear()
        back.do(back.resuming())
        stages.append(back.stage)
    assert stages == [Stage.RESOURCES_VERIFIED, Stage.COMPLETED]
    assert back.files[RUNNING_EMS] == ems
    assert "the EMS runs" not in back.durable


def test_a_setup_never_returns() -> None:
    """Row 18a, 5.6: refused before the first durable step, and never offered. `seed 000` 5.2."""
    scene = failed()
    before = scene.files
    assert scene.refused(returning(scene, confirm=False)).code is Code.SETUP_RETURN_UNSUPPORTED
    assert scene.files == before
    shown = scene.do(alignment_status(scene.house)).transition
    assert shown is not None
    assert shown.return_available is False


def without_known_good(scene: Scene) -> None:
    del scene.site.world.files[B5]


def without_its_build(scene: Scene) -> None:
    del scene.site.world.files[f"releases/{TAG}/manifest.json"]


def another_build_under_its_tag(scene: Scene) -> None:
    scene.put(B5, evolve(scene.record(B5, KnownGood), ems_digest="9" * 64))


def another_ems(scene: Scene) -> None:
    scene.site.world.files[RUNNING_EMS] = b"3" * 64


def no_ems(scene: Scene) -> None:
    del scene.site.world.files[RUNNING_EMS]


def silent_engine(scene: Scene) -> None:
    scene.engine.reachable = False


def unknown_admin(scene: Scene) -> None:
    scene.house = evolve(scene.house, identity=KnownIdentity(None))


def the_same_admin(scene: Scene) -> None:
    scene.house = evolve(scene.house, identity=KnownIdentity(OWN))


CLOSED: tuple[tuple[Callable[[Scene], None], Code], ...] = (
    (without_known_good, Code.KNOWN_GOOD_UNAVAILABLE),
    (without_its_build, Code.KNOWN_GOOD_UNAVAILABLE),
    (another_build_under_its_tag, Code.KNOWN_GOOD_UNAVAILABLE),
    (another_ems, Code.KNOWN_GOOD_MISMATCH),
    (no_ems, Code.KNOWN_GOOD_MISMATCH),
    (silent_engine, Code.INSTALL_STATE_UNAVAILABLE),
    (unknown_admin, Code.ADMIN_UNVERIFIABLE),
    (the_same_admin, Code.ADMIN_ALREADY_MATCHES_RUNNING_EMS),
)


@pytest.mark.parametrize(("spoil", "code"), CLOSED, ids=lambda item: getattr(item, "__name__", item))
def test_what_closes_the_way_changes_nothing_and_is_not_offered(spoil: Callable[[Scene], None], code: Code) -> None:
    """`http.md` 5.3; `faults.md` D1 for the engine that cannot be asked, F24 for the build that is gone."""
    scene = failed_upgrade()
    spoil(scene)
    before = scene.files
    assert scene.refused(returning(scene)).code is code
    assert scene.files == before
    assert scene.house.work.holder is None
    shown = scene.do(alignment_status(scene.house)).transition
    assert shown is not None
    assert shown.return_available is False


def test_an_open_way_is_offered() -> None:
    shown = failed_upgrade().do(alignment_status(failed_upgrade().house)).transition
    assert shown is not None
    assert shown.return_available is True


@pytest.mark.parametrize(
    ("stage", "code"),
    [
        (Stage.RESOURCES_VERIFIED, Code.INVALID_TRANSITION),
        (Stage.EMS_OPERATION_RUNNING, Code.INVALID_TRANSITION),
        (Stage.CANCELLED, Code.NOT_RESUMABLE),
        (Stage.COMPLETED, Code.NOT_RESUMABLE),
    ],
)
def test_only_what_has_failed_is_returned_from(stage: Stage, code: Code) -> None:
    scene = operation(Mode.GUIDED_UPGRADE, stage)
    assert scene.refused(returning(scene)).code is code


def test_the_exact_operation_is_named_and_meant() -> None:
    scene = failed_upgrade()
    before = scene.files
    assert scene.refused(returning(scene, operation_id="f" * 32)).code is Code.OPERATION_MISMATCH
    assert scene.refused(returning(scene, operation_id=None)).code is Code.OPERATION_MISMATCH
    assert scene.refused(returning(scene, confirm=False)).code is Code.CONFIRMATION_REQUIRED
    assert scene.files == before
    nowhere = Scene()
    assert nowhere.refused(returning(nowhere, operation_id="f" * 32)).code is Code.NO_TRANSITION


def test_whoever_works_keeps_the_site() -> None:
    scene = failed_upgrade()
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    assert scene.refused(returning(scene)).code is Code.WORK_IN_PROGRESS


def test_two_clicks_are_one_return() -> None:
    """F38: the same id for both, one operation, although the first one has ended what the second one names."""
    scene = failed_upgrade()
    named = scene.transition.operation_id
    first = scene.do(returning(scene, operation_id=named))
    begun = scene.transition.operation_id
    assert scene.do(returning(scene, operation_id=named)) is first
    scene.finish()
    assert (scene.transition.operation_id, scene.stage) == (begun, Stage.ADMIN_RECONNECT_PENDING)
    assert scene.refused(returning(scene, operation_id=named)).code is Code.OPERATION_MISMATCH


@pytest.mark.parametrize("lands", [True, False])
def test_the_record_says_whether_the_new_operation_began(lands: bool) -> None:
    """5.5: the exception is never the outcome."""
    scene = failed_upgrade()
    work = returning(scene)
    scene.until(work, lambda _mark: scene.stage is Stage.CANCELLED)
    scene.fail(B1, UNPROVABLE, lands=lands)
    if lands:
        assert scene.do(work).kind is WorkKind.BUILD_RETURN
        assert scene.transition.mode is Mode.ALIGN_EXISTING_INSTALL
    else:
        assert scene.refused(work).code is Code.TRANSITION_STATE_WRITE_FAILED
        assert scene.stage is Stage.CANCELLED
        assert scene.house.work.holder is None


def test_a_cut_after_every_step_leaves_an_operation_that_goes_on_or_is_over() -> None:
    """Between the cancel and the new beginning nothing is owed; after it the operation is resumed."""
    seen, number = set(), 0
    while True:
        number += 1
        scene = failed_upgrade()
        scene.durable.clear()
        scene.cut_after = number
        try:
            scene.job(returning(scene))
        except PowerCut:
            after = scene.restart()
        else:
            break
        after.house = evolve(after.house, identity=KnownIdentity(scene.house.own))
        shown = after.do(alignment_status(after.house))
        assert shown.transition is not None
        seen.add(shown.transition.record.stage)
        if after.stage is Stage.CANCELLED:
            assert not shown.active
            assert B6 not in after.files, "what belongs to an operation that is over goes with the start"
        else:
            assert (shown.transition.record.mode, shown.active) == (Mode.ALIGN_EXISTING_INSTALL, True)
    assert number > 2
    assert {Stage.CANCELLED, Stage.ADMIN_UPDATE_PENDING, Stage.ADMIN_RECONNECT_PENDING} == seen
