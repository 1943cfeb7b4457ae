"""Write and apply: what was shown is what is carried out, or nothing is (`seed 000` 2.3, 2.4; `site.md` 1.12)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.config.preview import preview
from tests.workflows.places import fetched, opened, reviewed, secret_draft
from tests.workflows.scene import B0, B1, CONFIG, UNPROVABLE, Scene

Act = Callable[..., Coroutine[Any, Any, Any]]
ACTS = ("writing", "applying")
both = pytest.mark.parametrize("act", ACTS)


def act_of(scene: Scene, act: str) -> Act:
    chosen: Act = getattr(scene, act)
    return chosen


def break_everything(scene: Scene, *, but: int) -> None:
    """Break every check from the one called `but` on."""
    breaks: list[Callable[[], object]] = [
        lambda: scene.put(B0, evolve(scene.setup, workflow_id="w" * 43)),
        lambda: scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG),
        lambda: scene.put(B1, evolve(scene.transition, operation_id="f" * 32, stage=Stage.ADMIN_ALIGNED)),
        lambda: scene.put(B0, evolve(scene.setup, preview=None)),
        lambda: scene.site.world.files.update({CONFIG: b"{}"}),
    ]
    for break_it in breaks[but:]:
        break_it()


@both
def test_the_checks_are_made_in_their_order(act: str) -> None:
    expected = (
        Code.SETUP_WORKFLOW_NOT_ACTIVE,
        Code.WORK_IN_PROGRESS,
        Code.SETUP_TRANSITION_CONTEXT_MISMATCH,
        Code.SETUP_PREVIEW_REQUIRED,
        Code.STALE_SETUP_CONFIG,
    )
    for number, code in enumerate(expected):
        scene = reviewed()
        break_everything(scene, but=number)
        before = scene.files
        assert scene.refused(act_of(scene, act)()).code is code
        if code is not Code.STALE_SETUP_CONFIG:
            assert scene.files == before


@both
def test_an_absent_workflow_id_is_answered_by_the_workflow(act: str) -> None:
    scene = reviewed()
    assert scene.refused(act_of(scene, act)(workflow_id=None)).code is Code.SETUP_WORKFLOW_REQUIRED


@both
def test_an_absent_preview_id_is_answered_by_the_preview(act: str) -> None:
    scene = reviewed()
    assert scene.refused(act_of(scene, act)(preview_id=None)).code is Code.SETUP_PREVIEW_REQUIRED


@both
def test_a_preview_of_one_draft_never_carries_out_another(act: str) -> None:
    scene = reviewed()
    before = scene.files
    assert scene.refused(act_of(scene, act)(draft=secret_draft())).code is Code.SETUP_PREVIEW_MISMATCH
    assert scene.files == before


@both
def test_a_newer_preview_voids_the_older_one(act: str) -> None:
    scene = reviewed()
    older = scene.preview_id
    scene.review()
    assert scene.refused(act_of(scene, act)(preview_id=older)).code is Code.SETUP_PREVIEW_MISMATCH
    scene.do(act_of(scene, act)())


@both
def test_a_changed_password_is_another_draft(act: str) -> None:
    scene = fetched()
    scene.review(secret_draft())
    other = evolve(scene.draft, mqtt_broker=evolve(scene.draft.mqtt_broker, password="another"))
    assert scene.refused(act_of(scene, act)(draft=other)).code is Code.SETUP_PREVIEW_MISMATCH


@both
def test_a_live_config_that_came_since_revokes_the_preview(act: str) -> None:
    scene = reviewed()
    scene.site.world.files[CONFIG] = b"{}"
    before = scene.files
    assert scene.refused(act_of(scene, act)()).code is Code.STALE_SETUP_CONFIG
    assert scene.setup.preview is None
    assert {**scene.files, B0: b""} == {**before, B0: b""}
    assert scene.refused(act_of(scene, act)()).code is Code.SETUP_PREVIEW_REQUIRED


@both
def test_bytes_that_cannot_be_made_again_revoke_the_preview(act: str) -> None:
    scene = reviewed()
    preview = scene.setup.preview
    assert preview is not None
    scene.put(B0, evolve(scene.setup, preview=evolve(preview, prepared_config_sha256="0" * 64)))
    assert scene.refused(act_of(scene, act)()).code is Code.SETUP_PREVIEW_MISMATCH
    assert scene.setup.preview is None


@both
def test_a_config_that_cannot_be_read_is_said_and_keeps_the_exact_preview(act: str) -> None:
    """F07."""
    scene = reviewed()
    scene.site.world.files[CONFIG] = b"\xff not a config"
    before = scene.files
    assert scene.refused(act_of(scene, act)(preview_id="p" * 43)).code is Code.SETUP_PREVIEW_MISMATCH
    refusal = scene.refused(act_of(scene, act)())
    assert (refusal.code, refusal.detail, refusal.more["at"]) == (Code.CONFIG_UNREADABLE, "not_utf8", "0")
    assert scene.files == before


@both
def test_without_verified_resources_nothing_is_written(act: str) -> None:
    scene = reviewed()
    scene.put(B1, evolve(scene.transition, stage=Stage.HEALTHCHECK_PENDING))
    assert scene.refused(act_of(scene, act)()).code is Code.SYSTEM_ALIGNMENT_INCOMPLETE


@both
def test_a_start_that_failed_forces_nobody_to_begin_anew(act: str) -> None:
    scene = reviewed()
    scene.put(B1, evolve(scene.transition, stage=Stage.EMS_OPERATION_PENDING))
    scene.do(act_of(scene, act)())


@both
def test_a_foreign_operation_is_never_worked_around(act: str) -> None:
    scene = reviewed()
    scene.put(B1, evolve(scene.transition, mode=Mode.GUIDED_UPGRADE))
    assert scene.refused(act_of(scene, act)()).code is Code.SETUP_TRANSITION_OWNER_UNPROVEN


@both
def test_while_something_is_ended_nothing_is_staged(act: str) -> None:
    """`seed 000` 5.4."""
    scene = reviewed()
    scene.house.work.begin_termination(WorkKind.ABANDON, workflow_id=scene.workflow_id)
    before = scene.files
    refusal = scene.refused(act_of(scene, act)())
    assert (refusal.code, refusal.more) == (Code.SETUP_WORKFLOW_NOT_ACTIVE, {"operation": WorkKind.ABANDON})
    assert scene.files == before


@both
def test_the_claim_is_free_again_after_success_and_refusal(act: str) -> None:
    """`seed 000` 5.4."""
    scene = reviewed()
    scene.refused(act_of(scene, act)(preview_id=None))
    assert scene.house.work.holder is None
    scene.do(act_of(scene, act)())
    assert scene.house.work.holder is None


def test_a_draft_that_is_not_ready_revokes_the_preview_before() -> None:
    scene = reviewed()
    shown = scene.review(evolve(scene.draft, devices=()))
    assert shown.config_preview_id is None
    assert {finding.code for finding in shown.reviewed.findings} >= {Code.NO_CONTROLLABLE_DEVICE}
    assert scene.setup.preview is None


def test_a_preview_needs_the_build() -> None:
    scene = opened()
    assert scene.refused(_preview(scene)).code is Code.RELEASE_NOT_PREPARED


def test_no_preview_is_issued_while_something_is_ended() -> None:
    scene = fetched()
    scene.house.work.begin_termination(WorkKind.ABANDON, workflow_id=scene.workflow_id)
    assert scene.refused(_preview(scene)).code is Code.SETUP_WORKFLOW_NOT_ACTIVE


def test_a_preview_takes_no_claim() -> None:
    scene = fetched()
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    scene.do(_preview(scene))


def test_a_preview_issued_while_an_older_one_is_applied_is_not_consumed_with_it() -> None:
    scene = reviewed()
    work = scene.applying()
    scene.until(work, lambda mark: mark.name == f"commit {CONFIG}")
    newer = evolve(scene.draft, features={})
    issued = scene.review(newer).config_preview_id
    scene.do(work)
    preview = scene.record(B0, GuidedSetup).preview
    assert preview is not None
    assert preview.preview_id == issued


def test_a_commit_that_nobody_can_prove_blocks_the_next_write_and_says_so() -> None:
    """`site.md` 4."""
    scene = reviewed()
    scene.fail(CONFIG, UNPROVABLE, lands=False)
    assert scene.refused(scene.applying()).code is Code.STATE_COMMIT_UNPROVABLE
    scene.site.world.files[CONFIG] = b'{"neither": 1}'
    scene.review()
    before = scene.files
    assert scene.refused(scene.applying(overwrite=True)).code is Code.CONFIG_COMMIT_UNPROVABLE
    assert scene.files == before


def _preview(scene: Scene) -> Coroutine[Any, Any, Any]:
    return preview(scene.house, scene.caller, scene.draft, scene.workflow_id)
