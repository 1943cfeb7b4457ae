"""Fields that are right each by itself and wrong together.

Source: `site.md` 3 (`state_tampered`), 4 (B0, B6).
"""

from __future__ import annotations

from typing import Any

from ems_admin.codec.rules import is_relative_path
from ems_admin.machines.alignment.outlook import failure_fits
from ems_admin.machines.guided_setup import slots_fit
from ems_admin.machines.records.reading import ReadFault
from ems_admin.machines.records.setup import ArtifactStatus, BaseRevision, Cleanup, GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.machines.upgrade.groundwork import is_whole

Why = tuple[ReadFault, str]


def contradiction(record: Any) -> Why | None:
    """Name the first contradiction of a record, `None` for one that agrees with itself."""
    match record:
        case Transition():
            return None if failure_fits(record) else (ReadFault.TAMPERED, "failure fields that do not fit the stage")
        case GuidedSetup():
            return _of_setup(record)
        case UpgradeContext():
            return None if is_whole(record) else (ReadFault.TAMPERED, "another seal than that of its words")
        case _:
            return None


def _of_setup(setup: GuidedSetup) -> Why | None:
    """What a workflow claims lies in its own directory or at one of the two places shared by all."""
    own = f"workflows/guided-setup/{setup.workflow_id}"
    allowed = (f"{own}/", "generated/", "state/")
    claims = setup.artifacts
    for path in (claims.generated_config, claims.generated_metadata, claims.deployment_marker):
        if path is not None and not (is_relative_path(path) and path.startswith(allowed)):
            return ReadFault.WRONG_SHAPE, "an artifact outside its places"
    if setup.preview is not None and _is_undecided(setup.preview.base_config_revision):
        return ReadFault.WRONG_SHAPE, "a base revision that says both"
    if not slots_fit(setup):
        return ReadFault.WRONG_SHAPE, "slots that do not fit together"
    return _of_cleanup(setup.cleanup)


def _is_undecided(base: BaseRevision) -> bool:
    return base.expect_absent is (base.expected_revision is not None)


def _of_cleanup(cleanup: Cleanup) -> Why | None:
    """Hold the counts against the entries. Failures add up over the attempts, so there may be more of them."""
    statuses = [entry.status for entry in cleanup.artifacts]
    failed = statuses.count(ArtifactStatus.FAILED)
    if cleanup.review_count != statuses.count(ArtifactStatus.REVIEW_REQUIRED):
        return ReadFault.WRONG_SHAPE, "a review count that its artifacts do not bear out"
    if cleanup.failed_count < failed or (cleanup.failed_count > 0 and failed == 0):
        return ReadFault.WRONG_SHAPE, "a failed count that its artifacts do not bear out"
    return None
