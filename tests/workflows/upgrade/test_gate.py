"""What closes an upgrade closes both of its phases (seed 000 3 row 3, 5.3, 7.5; site.md 1.10)."""

from __future__ import annotations

from itertools import product

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.composition.gates import UPGRADE_GATE, WRITE_GATE, Pending, UpgradeGate, WriteGate
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim
from ems_admin.machines.records.setup import NO_ARTIFACTS, ArtifactKind, ArtifactStatus, CleanupEntry, CleanupState
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.workflow_lifecycle import OWNER, Claims, Owner
from ems_admin.workflows.upgrade.gate import require_upgrade_open
from ems_admin.workflows.upgrade.validate import validate_upgrade
from tests.memory.house import TAG
from tests.workflows.places import fetched, opened, prepared, running
from tests.workflows.scene import B0, B1, Scene
from tests.workflows.situations import at, broken, of_mode, owes


def both(scene: Scene) -> set[Code | str]:
    """Ask the gate of execute, and validate, which passes the same one."""
    gate = scene.refused(require_upgrade_open(scene.house))
    return {gate.code, scene.refused(validate_upgrade(scene.house, TAG)).code}


def test_an_active_setup_is_ended_first_also_one_that_has_claimed_nothing() -> None:
    """`seed 000` 3.1."""
    for place in (opened, fetched, prepared):
        assert both(place()) == {Code.SETUP_ABANDON_REQUIRED}


@pytest.mark.parametrize("state", [CleanupState.PENDING, CleanupState.REVIEW_REQUIRED])
def test_a_cleanup_that_has_not_converged_is_finished_first(state: CleanupState) -> None:
    scene = prepared()
    owes(state, scene)
    assert both(scene) == {Code.SETUP_CLEANUP_REQUIRED}


def test_a_review_that_was_never_the_workflows_own_is_settled_on_the_way() -> None:
    """Seed 000 5.3: every authoritative read reconciles it."""
    scene = prepared()
    owes(CleanupState.REVIEW_REQUIRED, scene)
    entry = CleanupEntry(kind=ArtifactKind.DEPLOYMENT_MARKER, status=ArtifactStatus.REVIEW_REQUIRED)
    cleanup = evolve(scene.setup.cleanup, artifacts=(entry,), review_count=1)
    scene.put(B0, evolve(scene.setup, artifacts=NO_ARTIFACTS, cleanup=cleanup))
    scene.do(require_upgrade_open(scene.house))
    assert scene.setup.cleanup.state is CleanupState.COMPLETE


def test_two_records_that_claim_the_console_close_it() -> None:
    scene = fetched()
    of_mode(Mode.GUIDED_UPGRADE, scene)
    assert both(scene) == {Code.WORKFLOW_OWNER_CONFLICT}


def test_a_record_that_cannot_be_read_closes_it() -> None:
    for name in (B0, B1):
        scene = running()
        broken(name, scene)
        assert both(scene) == {Code.WORKFLOW_STATE_MALFORMED}


def test_a_mode_that_is_nobodys_closes_it() -> None:
    scene = running()
    scene.site.world.files[B1] = scene.files[B1].replace(b"fresh_install", b"time_travel")
    at_gate = scene.refused(require_upgrade_open(scene.house))
    assert at_gate.code == Code.WORKFLOW_OWNER_UNKNOWN


def test_its_own_operation_and_an_alignment_are_no_matter_of_the_gate() -> None:
    scene = running()
    for mode in (Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL):
        of_mode(mode, scene)
        at(Stage.RESOURCES_VERIFIED, scene)
        scene.do(require_upgrade_open(scene.house))


def test_the_gate_and_the_owner_of_the_console_never_contradict_each_other() -> None:
    """Site.md 1.10: the gate is open only where no Setup, no contradiction and nothing unknown owns the console."""
    for setup, transition in product(SetupClaim, TransitionClaim):
        claims = Claims(setup, transition)
        closed = OWNER.classify(claims) in {Owner.GUIDED_SETUP, Owner.CONFLICT, Owner.UNKNOWN}
        assert (UPGRADE_GATE.classify(claims) is not UpgradeGate.OPEN) == closed, claims


def test_a_config_is_written_only_beside_an_operation_that_is_over() -> None:
    """Seed 000 3.1."""
    open_beside = [claim for claim in TransitionClaim if WRITE_GATE.classify(Pending(claim)) is WriteGate.OPEN]
    assert open_beside == [TransitionClaim.NONE]
