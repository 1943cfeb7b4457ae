"""A preview of a switch is bound to the durable facts behind it, and to nothing that comes and goes."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.lifecycle.fingerprint import LifecycleRecords, UpgradeIdentity, lifecycle_fingerprint
from ems_admin.machines.records.reading import Absent, Present, ReadFault, Unreadable
from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome, Run, WalkStep
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.values.fingerprints import fingerprint_of
from tests.machines.transcript import replay

NOTHING: Final = LifecycleRecords(
    setup=Absent(), transition=Absent(), upgrade_context=Absent(), dispatch=Absent(), run=Absent(), other={}
)
BEGUN: Final = """
given workflow_id=w1 selected_system_tag=v1 deployment_marker=m now=12:00 transition=none live_operation_id=-
begin
"""


def setup(story: str = "") -> Present[GuidedSetup]:
    record = replay(GUIDED_SETUP, BEGUN + story).record
    assert record is not None
    return Present(record=record, sha256="of no interest")


def dispatch(outcome: Outcome) -> Present[Dispatch]:
    attempt = Attempt(number=2, container="c", image=None, tries=1, outcome=outcome, code=None, exit=None)
    record = Dispatch(format_version=1, operation_id="op1", transition_identity="i", attempts=(attempt,))
    return Present(record=record, sha256="s")


def broken(digest: str) -> Unreadable:
    return Unreadable(fault=ReadFault.NOT_JSON, sha256=digest)


UPGRADE: Final = Present(record=UpgradeIdentity(operation_id="o", target_system_tag="t"), sha256="s")
DIFFERENT: Final[dict[str, dict[str, Any]]] = {
    "a setup": {"setup": setup()},
    "an ended setup": {"setup": setup("abandon\n")},
    "a claim": {"setup": setup("claim_marker\n")},
    "an unreadable setup": {"setup": broken("d1")},
    "another unreadable setup": {"setup": broken("d2")},
    "an unreadable transition": {"transition": broken("d1")},
    "an upgrade": {
        "upgrade_context": Present(record=UpgradeIdentity(operation_id="o", target_system_tag="t"), sha256="s")
    },
    "a dispatch": {"dispatch": dispatch(Outcome.INTENDED)},
    "a launched dispatch": {"dispatch": dispatch(Outcome.LAUNCHED)},
    "an unreadable plan": {"other": {"pending-admin-update.json": "d1"}},
}


def test_each_durable_fact_counts() -> None:
    """`site.md` 4."""
    prints = [lifecycle_fingerprint(evolve(NOTHING, **change)) for change in DIFFERENT.values()]
    assert len({lifecycle_fingerprint(NOTHING), *prints}) == len(DIFFERENT) + 1


def test_what_does_not_bear_on_the_owner_does_not_count() -> None:
    shown = setup("issue_preview preview_id=p draft_fingerprint=f live_revision=- prepared_config_sha256=s\n")
    assert shown != setup()
    assert lifecycle_fingerprint(evolve(NOTHING, setup=shown)) == lifecycle_fingerprint(evolve(NOTHING, setup=setup()))


def test_the_walk_of_the_updater_counts() -> None:
    claimed, moving = (_run(step) for step in (WalkStep.CLAIMED, WalkStep.MOVING))
    assert lifecycle_fingerprint(evolve(NOTHING, run=claimed)) != lifecycle_fingerprint(evolve(NOTHING, run=moving))


def _run(step: WalkStep) -> Present[Run]:
    record = Run(
        format_version=1,
        operation_id="op1",
        attempt=1,
        container="c",
        entries=1,
        step=step,
        step_at=setup().record.created_at,
        snapshot=None,
        predecessor=None,
        successor=None,
        verified_at=None,
        code=None,
        exit_code=None,
        log=(),
    )
    return Present(record=record, sha256="s")


def test_the_fingerprint_of_nothing_is_the_one_that_is_specified() -> None:
    """`site.md` 4."""
    mark = {"present": False, "readable": True, "digest": None}
    assert lifecycle_fingerprint(NOTHING) == fingerprint_of(
        {
            "fingerprint_version": 2,
            "setup": mark
            | {"workflow_id": None, "status": None, "cleanup": None, "artifacts_claimed": None, "operation_id": None},
            "transition": mark | {"operation_id": None, "mode": None, "stage": None},
            "upgrade_context": mark | {"operation_id": None, "target_system_tag": None},
            "dispatch": mark | {"operation_id": None, "attempt": None, "outcome": None},
            "run": mark | {"operation_id": None, "attempt": None, "step": None},
        }
    )
