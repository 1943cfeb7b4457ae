"""Fields that are right each by itself and wrong together: no machine wrote them, and no reader takes them.

Source: `site.md` 4.
"""

from __future__ import annotations

from typing import Any, Final

import attrs
import pytest

from ems_admin import codec
from ems_admin.machines.records.reading import ReadFault
from ems_admin.machines.records.setup import (
    NO_ARTIFACTS,
    NO_CLEANUP,
    ArtifactKind,
    ArtifactStatus,
    CleanupEntry,
    GuidedSetup,
    WorkflowStatus,
)
from ems_admin.machines.records.transition import Mode, Stage, Transition
from tests.codec.faults import fault_of
from tests.stores.records import ENDED_SETUP, OTHER_WORKFLOW, SETUP, TRANSITION

FAILED: Final[dict[str, Any]] = {"stage": Stage.FAILED_RECOVERABLE, "error_code": "expired"}


@pytest.mark.parametrize(
    "fields",
    [
        {"error_code": "expired"},
        {"failed_stage": Stage.ADMIN_ALIGNED},
        {"error_message": "no"},
        {"stage": Stage.FAILED_RECOVERABLE},
        {"stage": Stage.FAILED_RECOVERABLE, "failed_stage": Stage.ADMIN_ALIGNED, "resume_stage": Stage.ADMIN_ALIGNED},
        {"stage": Stage.COMPLETED, "error_code": "expired"},
        # site.md 3, column "resume stage after a failure": nobody gets past the import by way of a failure.
        {**FAILED, "failed_stage": Stage.ADMIN_UPDATE_PENDING, "resume_stage": Stage.HEALTHCHECK_PENDING},
        {**FAILED, "failed_stage": Stage.ADMIN_ALIGNED, "resume_stage": Stage.RESOURCES_VERIFIED},
        {**FAILED, "failed_stage": Stage.COMPLETED, "resume_stage": Stage.COMPLETED},
        {
            **FAILED,
            "mode": Mode.ALIGN_EXISTING_INSTALL,
            "failed_stage": Stage.HEALTHCHECK_PENDING,
            "resume_stage": Stage.EMS_OPERATION_PENDING,
        },
    ],
    ids=str,
)
def test_failure_fields_that_do_not_fit_are_tampered_with(fields: dict[str, Any]) -> None:
    record = attrs.evolve(TRANSITION, **fields)
    assert fault_of(codec.pretty(codec.unstructure(record)), Transition)[0] is ReadFault.TAMPERED
    with pytest.raises(codec.EncodeError):
        codec.encode(record)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "workflows/guided-setup/../../x",
        f"workflows/guided-setup/{OTHER_WORKFLOW}/generated/config.json",
        "config/config.json",
        "generated/../state/x",
        "generated//x",
        "generated/.",
        "state",
        "",
        "generated/a\\b",
        "generated/a\0b",
    ],
)
def test_an_artifact_lies_where_the_workflow_may_write(path: str) -> None:
    record = attrs.evolve(SETUP, artifacts=attrs.evolve(NO_ARTIFACTS, generated_config=path))
    assert fault_of(codec.pretty(codec.unstructure(record)), GuidedSetup)[0] is ReadFault.WRONG_SHAPE
    with pytest.raises(codec.EncodeError):
        codec.encode(record)


@pytest.mark.parametrize(
    ("failed_attempts", "fits"), [(0, False), (1, True), (2, True), (40, True)], ids=["none", "one", "two", "many"]
)
def test_failures_of_a_cleanup_add_up_over_its_attempts(failed_attempts: int, fits: bool) -> None:
    """`http.md` 5.3: a retry that fails on the same artifact has to be told from the first attempt, also on disk."""
    record = attrs.evolve(ENDED_SETUP, cleanup=attrs.evolve(ENDED_SETUP.cleanup, failed_count=failed_attempts))
    assert is_taken(record) is fits


def removed(record: GuidedSetup) -> GuidedSetup:
    entries = (CleanupEntry(kind=ArtifactKind.WORKFLOW_DIRECTORY, status=ArtifactStatus.REMOVED),)
    return attrs.evolve(record, cleanup=attrs.evolve(record.cleanup, artifacts=entries))


@pytest.mark.parametrize(
    "record",
    [
        removed(ENDED_SETUP),
        attrs.evolve(ENDED_SETUP, cleanup=attrs.evolve(ENDED_SETUP.cleanup, review_count=1)),
        # seed 000 5.3: whoever ends early owes a cleanup, nobody else does, and what is over authorises nothing.
        attrs.evolve(ENDED_SETUP, status=WorkflowStatus.ACTIVE),
        attrs.evolve(ENDED_SETUP, status=WorkflowStatus.COMPLETED),
        attrs.evolve(ENDED_SETUP, cleanup=NO_CLEANUP),
        attrs.evolve(ENDED_SETUP, preview=SETUP.preview),
    ],
    ids=["failed_nothing", "reviews_nothing", "active_owes", "completed_owes", "owes_nothing", "still_authorises"],
)
def test_a_setup_that_no_machine_can_have_written_is_unreadable(record: GuidedSetup) -> None:
    assert not is_taken(record)
    assert fault_of(codec.pretty(codec.unstructure(record)), GuidedSetup)[0] is ReadFault.WRONG_SHAPE


def is_taken(record: GuidedSetup) -> bool:
    try:
        return codec.decode(codec.encode(record), GuidedSetup) == record
    except codec.EncodeError:
        return False


def test_a_cleanup_tells_of_32_artifacts_at_most() -> None:
    def with_entries(count: int) -> GuidedSetup:
        entries: tuple[CleanupEntry, ...] = ENDED_SETUP.cleanup.artifacts * count
        cleanup = attrs.evolve(ENDED_SETUP.cleanup, failed_count=count, artifacts=entries)
        return attrs.evolve(ENDED_SETUP, cleanup=cleanup)

    assert codec.decode(codec.encode(with_entries(32)), GuidedSetup) == with_entries(32)
    with pytest.raises(codec.EncodeError):
        codec.encode(with_entries(33))
