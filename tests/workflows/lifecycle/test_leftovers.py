"""The updater that nobody starts, and the config commit that nobody can prove (`replacement.md` 7.6; `site.md` 4)."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.recovery import Mode, SafeAction
from ems_admin.workflows.views.console import console
from tests.memory.host import Container, Doing, Kind
from tests.stores.records import CONFIG_COMMIT, DISPATCH, OPERATION
from tests.workflows.lifecycle.classes import BROKEN, Stored, stand
from tests.workflows.lifecycle.test_recovery import preview, recovering
from tests.workflows.places import written
from tests.workflows.scene import B0, CONFIG, CREDENTIALS, INTENT, Scene

UPDATER = DISPATCH.attempts[0].container


def updater(scene: Scene, doing: Doing) -> None:
    """Lay an updater of the dispatched attempt."""
    scene.site.world.host.containers[UPDATER] = Container(
        id=UPDATER,
        name=UPDATER,
        kind=Kind.UPDATER,
        image="",
        operation_id=OPERATION,
        attempt=1,
        predecessor="admin",
        doing=doing,
    )


@pytest.mark.parametrize("setup", ["absent", "active", "unreadable"])
def test_beside_an_unreadable_operation_exactly_the_unstarted_updater_is_discarded(setup: str) -> None:
    """replacement.md 7.6: nothing else happens to an unreadable record."""
    scene = stand(Stored(setup, "unreadable", "of another", "launched"))
    updater(scene, Doing.CREATED)
    before = scene.files
    shown = preview(scene)
    assert (shown.actions, shown.safe_available) == ((SafeAction.DISCARD_UNSTARTED_UPDATER,), True)
    refusal = scene.refused(recovering(scene, Mode.RELEASE_STALE_STATE))
    assert refusal.code is Code.REPLACEMENT_ACTIVE, "seed 000 7.4.1: it counts as ACTIVE"
    assert scene.do(recovering(scene)).actions == (SafeAction.DISCARD_UNSTARTED_UPDATER,)
    assert UPDATER not in scene.site.world.host.containers
    assert scene.files == before
    assert scene.do(recovering(scene, Mode.RELEASE_STALE_STATE)).released is not None


@pytest.mark.parametrize("dispatch", ["absent", "unreadable"])
def test_where_no_record_names_it_an_unstarted_updater_speaks_for_itself(dispatch: str) -> None:
    """replacement.md 7.6: a site that lost both records is not closed for ever by a container that nobody starts."""
    scene = stand(Stored("absent", "unreadable", "absent", dispatch))
    updater(scene, Doing.CREATED)
    assert preview(scene).actions == (SafeAction.DISCARD_UNSTARTED_UPDATER,)
    assert scene.refused(recovering(scene, Mode.RELEASE_STALE_STATE)).code is Code.REPLACEMENT_ACTIVE
    assert scene.do(recovering(scene)).actions == (SafeAction.DISCARD_UNSTARTED_UPDATER,)
    assert UPDATER not in scene.site.world.host.containers
    told = [entry.line for entry in scene.site.journal.entries if entry.line.trigger == "discard_unstarted_updater"]
    assert [line.operation_id for line in told] == [OPERATION]
    assert scene.do(recovering(scene, Mode.RELEASE_STALE_STATE)).released is not None


def test_beside_two_unreadable_records_silence_of_the_engine_permits_nothing() -> None:
    scene = stand(Stored("absent", "unreadable", "absent", "unreadable"))
    updater(scene, Doing.CREATED)
    scene.site.world.host.silent = True
    assert preview(scene).actions == ()
    assert scene.refused(recovering(scene, Mode.RELEASE_STALE_STATE)).code is Code.INSTALL_STATE_UNAVAILABLE
    assert UPDATER in scene.site.world.host.containers


@pytest.mark.parametrize("doing", [Doing.RUNNING, Doing.EXITED])
def test_an_updater_that_was_started_is_never_discarded(doing: Doing) -> None:
    scene = stand(Stored("absent", "unreadable", "absent", "launched"))
    updater(scene, doing)
    assert preview(scene).actions == ()
    assert scene.refused(recovering(scene)).code is Code.WORKFLOW_RECOVERY_UNSAFE
    assert UPDATER in scene.site.world.host.containers


# The config commit that nobody can prove


def unprovable() -> Scene:
    scene = written()
    scene.site.world.files[CONFIG] = b'{"somebody": "else"}'
    scene.put(INTENT, CONFIG_COMMIT)
    return scene


def test_an_unprovable_config_commit_is_settled_with_the_live_bytes() -> None:
    """site.md 4: it keeps the live bytes as they are and drops the intent, journalled."""
    scene = unprovable()
    scene.do(scene.abandoning())
    assert scene.refused(scene.applying(overwrite=True)).code is not None
    live, secrets = scene.files[CONFIG], scene.files.get(CREDENTIALS)
    assert scene.do(recovering(scene)).actions == (SafeAction.SETTLE_CONFIG_COMMIT,)
    assert (scene.files[CONFIG], scene.files.get(CREDENTIALS), INTENT in scene.files) == (live, secrets, False)
    assert "settle_config_commit" in {entry.line.trigger for entry in scene.site.journal.entries}
    warned = {warning.code for warning in scene.do(console(scene.house)).warnings}
    assert Code.CONFIG_COMMIT_UNPROVABLE not in warned


def test_an_intent_that_can_be_proven_is_left_to_the_next_start() -> None:
    scene = unprovable()
    del scene.site.world.files[CONFIG]
    scene.put(INTENT, evolve(CONFIG_COMMIT, credentials=evolve(CONFIG_COMMIT.credentials, old=None, new=None)))
    assert SafeAction.SETTLE_CONFIG_COMMIT not in preview(scene).actions


def test_beside_what_cannot_be_read_no_commit_is_settled() -> None:
    scene = unprovable()
    scene.site.world.files[B0] = BROKEN
    assert preview(scene).actions == ()
