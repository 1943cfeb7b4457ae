"""What closes both ways for a build (`http.md` 5.4, action_state): the order in which it is named."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.alignment.closing import CLOSED, BuildStanding, Closed, Files, OnRecord, closed_by, on_record
from ems_admin.machines.alignment.matching import AlignmentState
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.workflow_lifecycle import Owner
from tests.machines.samples import operation

OPEN = BuildStanding(Owner.NONE, OnRecord.NONE, Files.TO_BE_HAD, AlignmentState.ALIGNED)
WORST = BuildStanding(Owner.UNKNOWN, OnRecord.ANOTHER_BUILD, Files.OUT_OF_REACH, AlignmentState.MISMATCH)
LIVING = operation(Stage.RESOURCES_VERIFIED, Mode.FRESH_INSTALL)


@pytest.mark.parametrize(
    ("standing", "closed"),
    [
        (WORST, Closed.SYSTEM_BUILD_TRANSITION_BLOCKED),
        (evolve(WORST, owner=Owner.CONFLICT), Closed.SYSTEM_BUILD_TRANSITION_BLOCKED),
        (evolve(WORST, owner=Owner.GUIDED_SETUP), Closed.TRANSITION_ACTIVE_FOR_ANOTHER_BUILD),
        (
            evolve(WORST, owner=Owner.GUIDED_SETUP, operation=OnRecord.OTHER_DIGESTS),
            Closed.TRANSITION_STALE_FOR_SELECTED_BUILD,
        ),
        (evolve(WORST, owner=Owner.GUIDED_SETUP, operation=OnRecord.FAILED), Closed.BY_ITS_FAILURE),
        (
            evolve(WORST, owner=Owner.GUIDED_SETUP, operation=OnRecord.UNDER_WAY),
            Closed.SYSTEM_BUILD_RESOURCES_UNAVAILABLE,
        ),
        (evolve(OPEN, alignment=AlignmentState.MISMATCH), Closed.SYSTEM_BUILD_ACTION_STATE_INVALID),
        (OPEN, Closed.BY_NOTHING),
        (evolve(OPEN, operation=OnRecord.UNDER_WAY), Closed.BY_NOTHING),
        (evolve(OPEN, alignment=AlignmentState.ADMIN_UPDATE_REQUIRED), Closed.BY_NOTHING),
    ],
)
def test_the_first_thing_that_closes_a_build_is_named(standing: BuildStanding, closed: Closed) -> None:
    assert CLOSED.classify(standing) is closed


def test_an_operation_is_held_against_tag_digests_and_failure() -> None:
    same = {"system_tag": LIVING.system_tag, "admin_digest": LIVING.admin_digest, "ems_digest": LIVING.ems_digest}
    failed = operation(Stage.FAILED_RECOVERABLE)
    assert on_record(None, **same) is OnRecord.NONE
    assert on_record(LIVING, **same) is OnRecord.UNDER_WAY
    assert on_record(LIVING, **{**same, "system_tag": "v9"}) is OnRecord.ANOTHER_BUILD
    assert on_record(LIVING, **{**same, "ems_digest": "0" * 64}) is OnRecord.OTHER_DIGESTS
    assert on_record(failed, **{**same, "system_tag": failed.system_tag}) is OnRecord.FAILED


def test_a_failure_is_told_by_its_own_code_and_one_without_a_word_is_to_be_recovered() -> None:
    standing = evolve(OPEN, operation=OnRecord.FAILED)
    failed = operation(Stage.FAILED_RECOVERABLE)
    assert closed_by(standing, evolve(failed, error_code="healthcheck_failed")) is Code.HEALTHCHECK_FAILED
    assert closed_by(standing, evolve(failed, error_code="nobody_says_so")) is Code.SYSTEM_BUILD_RECOVERY_REQUIRED
    assert closed_by(OPEN, None) is None


def test_the_ems_that_an_alignment_leaves_alone_does_not_make_it_another_build() -> None:
    aligning = operation(Stage.RESOURCES_VERIFIED, Mode.ALIGN_EXISTING_INSTALL)
    named = {"system_tag": aligning.system_tag, "admin_digest": aligning.admin_digest, "ems_digest": "7" * 64}
    assert on_record(aligning, **named) is OnRecord.UNDER_WAY
    assert on_record(evolve(aligning, admin_digest="7" * 64), **named) is OnRecord.OTHER_DIGESTS
    assert on_record(evolve(aligning, mode=Mode.GUIDED_UPGRADE), **named) is OnRecord.OTHER_DIGESTS
