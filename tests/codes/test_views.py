"""Codes that no answer refuses with: they stand in the views, each for its own reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import asdict, define, evolve

from ems_admin.machines.catalogue import BY_NAME
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.alignment.known_good import way_back
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.config.draft import MAX_PROPOSALS, Draft, ProposalRef
from ems_admin.workflows.config.preview import preview
from ems_admin.workflows.ports.records import Committed
from ems_admin.workflows.ports.services import Observation, Seen
from ems_admin.workflows.setup.validate import validate
from ems_admin.workflows.views.console import console
from tests.memory.files import MemoryInstallation
from tests.memory.house import TAG
from tests.memory.outside import MemoryEngine
from tests.memory.world import Fault
from tests.workflows.foreign import failed_upgrade
from tests.workflows.places import begun, failed, fetched
from tests.workflows.scene import B0, B1, Scene

# The record of the operation


def rewritten(scene: Scene, **fields: Any) -> None:
    record = json.loads(scene.files[B1])
    scene.site.world.files[B1] = json.dumps({**record, **fields}).encode()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"state_version": 999}, Code.UNSUPPORTED_STATE_VERSION),
        ({"mode": "sideways"}, Code.UNSUPPORTED_MODE),
        ({"stage": "half_way"}, Code.INVALID_STAGE),
        ({"error_code": "expired"}, Code.STATE_TAMPERED),
        ({"surplus": 1}, Code.STATE_MALFORMED),
    ],
)
def test_the_status_names_what_is_wrong_with_the_record(fields: dict[str, Any], code: Code) -> None:
    """`site.md` 3: an unreadable operation counts as active, and says why nobody can go on."""
    scene = begun()
    rewritten(scene, **fields)
    status = scene.do(alignment_status(scene.house))
    assert (status.active, status.error, status.transition) == (True, code, None)


def test_a_record_that_the_disk_does_not_give_is_unreadable() -> None:
    scene = begun()
    scene.site.world.blind.add(B1)
    assert scene.do(alignment_status(scene.house)).error is Code.STATE_UNREADABLE


# What may be done with a build


def unreadable() -> Scene:
    scene = begun()
    scene.site.world.files[B1] = b"{"
    return scene


def failed_with_a_word_of_another_program() -> Scene:
    scene = failed()
    scene.put(B1, evolve(scene.transition, error_code="a_word_of_a_later_admin"))
    return scene


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (unreadable, Code.SYSTEM_BUILD_TRANSITION_BLOCKED),
        (failed_with_a_word_of_another_program, Code.SYSTEM_BUILD_RECOVERY_REQUIRED),
    ],
)
def test_an_operation_that_closes_both_ways_says_so(make: Callable[[], Scene], code: Code) -> None:
    """`http.md` 5.4: the build itself is shown all the same."""
    scene = make()
    before = scene.files
    found = scene.do(validate(scene.house, TAG))
    state = found.action_state
    assert found.selected_tag == TAG
    assert state.terminal_error is not None
    assert state.terminal_error.code is code
    assert (state.admin_update_allowed, state.continue_allowed) == (False, False)
    assert scene.files == before


# The way back


@define(kw_only=True)
class Nameless(MemoryEngine):
    """An engine that sees the EMS run, and cannot say from which bytes."""

    async def observe(self) -> Observation:
        seen = await super().observe()
        assert isinstance(seen, Seen)
        return Seen(services=tuple(evolve(service, digest=None) for service in seen.services))


def test_nobody_returns_to_an_ems_that_cannot_be_identified() -> None:
    """`site.md` 9."""
    scene = failed_upgrade()
    assert scene.stage is Stage.FAILED_RECOVERABLE
    scene.house = evolve(scene.house, engine=Nameless(**asdict(scene.engine, recurse=False)))
    refusal = scene.do(way_back(scene.house, scene.transition)).refusal
    assert refusal is not None
    assert refusal.code is Code.RUNNING_EMS_UNVERIFIABLE


# A draft


def too_many(draft: Draft) -> Draft:
    many = tuple(ProposalRef(id=str(n), broker_ref="main") for n in range(MAX_PROPOSALS + 1))
    return evolve(draft, mqtt_proposals=many)


def one_that_is_gone(draft: Draft) -> Draft:
    return evolve(draft, mqtt_proposals=(ProposalRef(id="gone", broker_ref="main"),))


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        (too_many, Code.TOO_MANY_ITEMS, "/mqtt_proposals"),
        (one_that_is_gone, Code.PROPOSAL_UNKNOWN, "/mqtt_proposals/0"),
    ],
)
def test_a_draft_is_told_what_cannot_be_taken(change: Callable[[Draft], Draft], code: Code, pointer: str) -> None:
    scene = fetched()
    told = scene.do(preview(scene.house, scene.caller, change(scene.draft), scene.workflow_id))
    assert (code, pointer) in {(entry.code, entry.pointer) for entry in told.reviewed.findings}


# Warnings


def warned(scene: Scene) -> set[Code]:
    """Give what the console warns of."""
    return {warning.code for warning in scene.do(console(scene.house)).warnings}


@define(kw_only=True)
class Nearly(MemoryInstallation):
    """A disk with next to nothing left."""

    async def free_bytes(self) -> int | None:
        return 1 << 20


def test_a_disk_that_is_nearly_full_is_a_warning() -> None:
    scene = Scene()
    full = Nearly(**asdict(scene.house.installation, recurse=False))  # type: ignore[arg-type]  # the one in memory
    scene.house = evolve(scene.house, installation=full)
    assert Code.DISK_NEARLY_FULL in warned(scene)


def test_a_journal_that_takes_no_line_is_a_warning() -> None:
    scene = Scene()
    scene.house.journal.writable = False  # type: ignore[misc]  # the one in memory
    assert Code.JOURNAL_NOT_WRITABLE in warned(scene)


def test_a_record_whose_folder_is_never_flushed_is_kept_with_a_warning() -> None:
    """`faults.md` F10: what is there is there, and the disk is not to be trusted."""
    scene = Scene()
    scene.site.world.faults[B0] = Fault(outcome=Committed(storage_unreliable=True), lands=True)
    scene.open()
    assert scene.setup.workflow_id == scene.workflow_id
    assert Code.STORAGE_UNRELIABLE in warned(scene)


def test_the_console_says_of_every_machine_of_the_catalogue_where_it_stands() -> None:
    """`console.md`, screen 9: a machine that is declared is drawn, and lit."""
    assert scene_states(begun()).keys() == BY_NAME.keys()


def scene_states(scene: Scene) -> dict[str, str | None]:
    return dict(scene.do(console(scene.house)).machines)
