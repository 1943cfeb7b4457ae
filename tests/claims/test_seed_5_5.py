"""What makes an operation the same one, and what a confirmation is worth (`seed 000` 5.5, 6.4, 6.4d)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import timedelta
from enum import Enum
from typing import Any, Final

import attrs
import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import (
    AcceptedBy,
    AdminIdentity,
    Transition,
    identity,
)
from ems_admin.machines.replacement.attempts import transition_identity
from ems_admin.machines.setup_intent import CAPACITY, IntentState
from ems_admin.workflows.alignment.watch import look_after
from ems_admin.workflows.setup.supersede import supersede
from tests.memory.house import TAG
from tests.memory.world import Call
from tests.stores.records import TRANSITION
from tests.workflows.places import opened, prepared, written
from tests.workflows.replacement.moments import promised
from tests.workflows.replacement.old_admin import DISPATCH, calling, failed, pending
from tests.workflows.scene import B1, Scene

MUTABLE: Final = frozenset(
    {
        "stage",
        "updated_at",
        "failed_stage",
        "resume_stage",
        "error_code",
        "error_message",
        "admin_update_claimed_at",
        "resources_claimed_at",
    }
)
"""The eight, written by hand: `seed 000` 5.5, `site.md` 3."""


def another(value: Any) -> Any:  # noqa: PLR0911  # one kind a line
    """Give another value of the same kind."""
    match value:
        case bool():
            return not value
        case Enum():
            return next(member for member in type(value) if member is not value)
        case str():
            return value[:-1] + ("1" if value[-1:] != "1" else "2")
        case int() | float():
            return value + 1
        case AdminIdentity():
            return None
        case AcceptedBy():
            return AcceptedBy(session="another", token=None)
        case None:
            return "something"
        case _:
            return value + timedelta(seconds=1)


@pytest.mark.parametrize("name", [field.name for field in attrs.fields(Transition)])
def test_every_field_is_identity_but_the_eight(name: str) -> None:
    """Derived by exclusion: a field that somebody adds is identity until it is declared otherwise. `site.md` 3."""
    changed = evolve(TRANSITION, **{name: another(getattr(TRANSITION, name))})
    assert changed != TRANSITION
    differs = identity(changed) != identity(TRANSITION)
    assert differs is (name not in MUTABLE)
    assert (transition_identity(changed) != transition_identity(TRANSITION)) is differs


def test_the_eight_are_fields_of_the_record() -> None:
    assert not MUTABLE - {field.name for field in attrs.fields(Transition)}


# Confirmations


def held_by(scene: Scene, session: str) -> str:
    """Let somebody else confirm as well; give the confirmation."""
    mine = scene.caller, scene.intent_id
    scene.caller = evolve(scene.caller, session=session)
    scene.open()
    theirs = str(scene.intent_id)
    scene.caller, scene.intent_id = mine
    return theirs


def states(scene: Scene, *intents: str | None) -> set[IntentState]:
    return {scene.house.intents.kept[str(intent)].state for intent in intents}


@pytest.mark.parametrize("end", ["abandon", "supersede", "completion"])
def test_the_end_of_a_workflow_retires_every_confirmation_in_every_session(end: str) -> None:
    """Abandon, supersede and completion alike; 6.4.1."""
    scene = prepared() if end == "completion" else written()
    scene.open()
    mine, theirs = scene.intent_id, held_by(scene, "browser-2")
    assert states(scene, mine, theirs) == {IntentState.ISSUED}
    match end:
        case "abandon":
            scene.do(scene.abandoning())
        case "supersede":
            # The one who supersedes confirms the next workflow, and is done with what was confirmed before.
            scene.caller = evolve(scene.caller, session="browser-3")
            scene.do(supersede(scene.house, scene.caller, scene.workflow_id, TAG))
        case _:
            assert scene.job(scene.starting()).error is None
    assert states(scene, mine, theirs) == {IntentState.RETIRED}


def test_a_tombstone_says_why_until_its_own_session_confirms_anew() -> None:
    """A stale copy is a mismatch, and after confirming again in the same session an unknown id: neither authorises."""
    scene = opened()
    stale = scene.intent_id
    scene.caller = evolve(scene.caller, session="browser-2")
    scene.do(scene.abandoning())
    scene.open()
    first = scene.caller
    scene.caller = evolve(first, session="browser-1")
    assert scene.refused(scene.fetching(intent_id=stale)).code is Code.SETUP_INTENT_WORKFLOW_MISMATCH
    scene.open()
    assert scene.refused(scene.fetching(intent_id=stale)).code is Code.SETUP_INTENT_REQUIRED
    assert B1 not in scene.files


def test_a_confirmation_authorises_no_later_workflow_not_even_for_its_own_session() -> None:
    """6.4.1."""
    scene = opened()
    stale = scene.intent_id
    scene.do(scene.abandoning())
    scene.open()
    assert scene.intent_id != stale
    before = scene.files
    assert scene.refused(scene.fetching(intent_id=stale)).code is Code.SETUP_INTENT_REQUIRED
    assert scene.files == before


def test_the_oldest_confirmation_makes_room_for_the_newest() -> None:
    """`site.md` 2: at most 128."""
    scene = opened()
    oldest = scene.intent_id
    newest = [held_by(scene, f"browser-{number}") for number in range(2, CAPACITY + 2)]
    kept = scene.house.intents.kept
    assert (len(kept), oldest in kept, set(newest) <= kept.keys()) == (128, False, True)


# The dispatch

STANDS: Final[dict[str, tuple[Callable[[], Scene], Callable[[Scene], Coroutine[Any, Any, Any]]]]] = {
    "a first launch": (pending, calling),
    "a retry": (failed, lambda scene: calling(scene, after=1, retrying=True)),
    "a promise that is kept later": (promised, lambda scene: look_after(scene.house)),
}


@pytest.mark.parametrize("name", STANDS)
def test_no_record_but_the_dispatch_is_held_while_the_engine_works(name: str) -> None:
    """The claim never holds the lock of the operation while a container is made or started."""
    stand, act = STANDS[name]
    scene = stand()
    work, asked = act(scene), set()
    try:
        while True:
            mark = work.send(None)
            if isinstance(mark, Call) and mark.name in {"create updater", "start updater", "look at the updater"}:
                asked.add(mark.name)
                assert scene.site.world.held <= {DISPATCH}, mark
    except StopIteration:
        pass
    assert {"create updater", "start updater"} <= asked
