"""Decisions about place, journal, confirmations, gates and layouts (`site.md` 1)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Channel
from ems_admin.machines.records.setup import CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.setup.install_state import INSTALL_STATE, InstallFiles, InstallState, Presence
from ems_admin.site import Options
from ems_admin.stores.journal import JournalFile
from ems_admin.workflows.config.preview import preview
from ems_admin.workflows.setup.disown import disown
from ems_admin.workflows.views.console import console
from tests.memory.outside import RUNNING, MemoryBuilds
from tests.workflows.places import opened, prepared, reviewed, running
from tests.workflows.scene import B0, B1, B3, CONFIG, Scene


def test_admin_data_lies_in_the_install_root_unless_the_environment_says_otherwise(tmp_path: Path) -> None:
    """1.4, D3."""
    elsewhere = tmp_path / "elsewhere"
    assert Options.at(tmp_path, {}).admin_data == tmp_path / "admin"
    assert Options.at(tmp_path, {"EMS_ADMIN_DATA_DIR": str(elsewhere)}).admin_data == elsewhere


def test_a_journal_turns_over_at_eight_mebibytes() -> None:
    """1.7."""
    assert inspect.signature(JournalFile).parameters["rotate_at"].default == 8 * 1024 * 1024


def warned(scene: Scene) -> set[Code]:
    return {warning.code for warning in scene.do(console(scene.house)).warnings}


def test_a_journal_that_cannot_be_written_is_a_visible_warning_and_fails_nothing() -> None:
    """1.7."""
    scene = opened()
    assert Code.JOURNAL_NOT_WRITABLE not in warned(scene)
    scene.site.journal.writable = False
    assert scene.fetch().error is None
    assert Code.JOURNAL_NOT_WRITABLE in warned(scene)


# Confirmations

PARTS: dict[str, Callable[[Scene], object]] = {
    "standard config": lambda scene: scene.site.world.files.update({CONFIG: b"{}"}),
    "legacy config": lambda scene: scene.site.world.files.update({"/config.json": b"{}"}),
    "stack file": lambda scene: scene.site.world.files.update({"/stack.json": b"{}"}),
    "a marker, and with it the install state": lambda scene: scene.site.world.files.update({B3: running().files[B3]}),
    "an EMS that runs": lambda scene: scene.site.world.files.update({RUNNING: b"d" * 64}),
    "an engine that cannot say": lambda scene: setattr(scene.engine, "reachable", False),
}


@pytest.mark.parametrize("part", PARTS)
def test_each_part_of_the_installation_counts_for_a_confirmation(part: str) -> None:
    """1.13."""
    scene = opened()
    PARTS[part](scene)
    assert scene.refused(scene.fetching()).code is Code.SETUP_STATE_CHANGED
    assert B1 not in scene.files


# The write gate during a handover


def handed_over(scene: Scene) -> Scene:
    scene.put(B1, evolve(scene.transition, stage=Stage.ADMIN_RECONNECT_PENDING))
    return scene


def in_review() -> Scene:
    """An ended Setup with an unanswered question, beside an operation of somebody else that is handed over."""
    scene = prepared()
    review = evolve(scene.setup.cleanup, state=CleanupState.REVIEW_REQUIRED)
    scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ABANDONED, preview=None, cleanup=review))
    return scene


Act = Callable[[Scene], Coroutine[Any, Any, Any]]
WRITES: dict[str, tuple[Callable[[], Scene], Act]] = {
    "preview": (reviewed, lambda scene: preview(scene.house, scene.caller, scene.draft, scene.workflow_id)),
    "write": (reviewed, lambda scene: scene.writing()),
    "apply": (reviewed, lambda scene: scene.applying()),
    "prepare": (prepared, lambda scene: scene.preparing()),
    "start": (prepared, lambda scene: scene.starting()),
    "disown": (
        in_review,
        lambda scene: disown(scene.house, scene.caller, scene.workflow_id, confirm=True, reason="kept"),
    ),
}


@pytest.mark.parametrize("name", WRITES)
def test_while_the_admin_is_handed_over_nothing_else_writes(name: str) -> None:
    """1.16: at admin_reconnect_pending everything that writes is gated."""
    stand, act = WRITES[name]
    scene = handed_over(stand())
    before = scene.files
    refusal = scene.refused(act(scene))
    assert refusal.code in {Code.SYSTEM_TRANSITION_IN_PROGRESS, Code.SYSTEM_ALIGNMENT_INCOMPLETE}
    assert scene.files == before


# Layouts

YES, NO = Presence.YES, Presence.NO
LAYOUTS = {
    # root config, standard config, stack file, marker
    (NO, NO, NO, NO): InstallState.NONE,
    (YES, NO, NO, NO): InstallState.LEGACY_ROOT_CONFIG,
    (NO, YES, NO, NO): InstallState.STANDARD_CONFIG_ONLY,
    (NO, NO, YES, NO): InstallState.COMPOSE_ONLY,
    (NO, YES, YES, NO): InstallState.STANDARD_INSTALL,
    (NO, YES, YES, YES): InstallState.ADMIN_PREPARED_INSTALL,
}


def test_an_installation_is_one_of_seven_and_what_cannot_be_read_is_a_part_of_one() -> None:
    """1.17, `http.md` 5.4."""
    for layout, state in LAYOUTS.items():
        assert INSTALL_STATE.classify(InstallFiles(*layout)) is state
    assert {*LAYOUTS.values(), InstallState.PARTIAL_INSTALL} == set(InstallState)
    for parts in product(Presence, repeat=4):
        seen = InstallFiles(*parts)
        if Presence.UNKNOWN in (seen.standard_config, seen.stack_file, seen.marker):
            asks = INSTALL_STATE.classify(seen)
            assert asks in {InstallState.PARTIAL_INSTALL, InstallState.LEGACY_ROOT_CONFIG}, parts
        if (seen.marker, seen.standard_config) == (YES, NO):
            assert INSTALL_STATE.classify(seen) is InstallState.PARTIAL_INSTALL


# Development builds


@pytest.mark.parametrize("channel", Channel)
def test_choosing_a_development_build_acknowledges_it_for_its_tag(channel: Channel) -> None:
    """1.20."""
    scene = opened()
    builds = scene.house.builds
    assert isinstance(builds, MemoryBuilds)
    manifest = evolve(builds.build.manifest, channel=channel)
    scene.house = evolve(scene.house, builds=evolve(builds, build=evolve(builds.build, manifest=manifest)))
    assert scene.fetch().error is None
    told = scene.transition.development_risk_acknowledged, scene.transition.development_risk_acknowledged_for_tag
    assert told == ((True, manifest.system_tag) if channel is Channel.DEVELOPMENT else (False, None))
