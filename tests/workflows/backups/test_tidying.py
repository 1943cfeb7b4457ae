"""Backups that go: by a person's word, or by themselves, and never what an upgrade rests on (site.md 9)."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest

from ems_admin.machines.backup_retention import id_for_upgrade
from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import BackupOrigin, BackupPart, BackupScope
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.upgrade.groundwork import sealed
from ems_admin.workflows.backups import looking, making, tidying
from ems_admin.workflows.ports.records import RefusalError
from tests.stores.records import UPGRADE
from tests.workflows.backups.kept import PASSWORD, created, creating, kept
from tests.workflows.maintenance.edits import edited, installed, saving, stored_secrets
from tests.workflows.scene import B6, Scene

OPERATION = UPGRADE.operation_id


def deleting(scene: Scene, backup_id: str, *, confirm: bool = True) -> Coroutine[Any, Any, tidying.Deleted]:
    return tidying.delete(scene.house, scene.caller, backup_id, confirm=confirm)


def keeping(scene: Scene, keep: int | None, *, confirm: bool = True) -> Coroutine[Any, Any, tidying.Trimmed]:
    return tidying.keep_at_most(scene.house, scene.caller, keep, confirm=confirm)


def ids(scene: Scene) -> list[str]:
    return [one.id for one in scene.do(looking.backup_list(scene.house)).backups]


def another(scene: Scene, **changes: Any) -> str:
    """Make a backup that is newer than all before it."""
    scene.site.clock.pass_time(timedelta(seconds=1))
    return created(scene, **changes).id


def test_all_are_kept_until_somebody_says_otherwise() -> None:
    scene = installed()
    made = [another(scene) for _ in range(4)]
    assert ids(scene) == made[::-1]
    assert scene.do(looking.backup_list(scene.house)).keep is None


def test_the_oldest_go_when_fewer_are_kept_and_when_a_new_one_is_made() -> None:
    scene = installed()
    made = [another(scene) for _ in range(4)]
    trimmed = scene.do(keeping(scene, 2))
    assert (set(trimmed.removed), trimmed.stayed, trimmed.keep) == (set(made[:2]), (), 2)
    new = another(scene)
    assert ids(scene) == [new, made[3]]
    scene = scene.restart()
    assert scene.do(looking.backup_list(scene.house)).keep == 2
    assert scene.do(keeping(scene, None)).removed == ()


@pytest.mark.parametrize("keep", [0, -1, 1001])
def test_as_many_are_kept_as_make_sense(keep: int) -> None:
    scene = installed()
    refusal = scene.refused(keeping(scene, keep))
    assert (refusal.code, refusal.detail) == (Code.UNSUPPORTED_VALUE, "/keep")


@pytest.mark.parametrize("reference", [True, False], ids=["noted", "about to be noted"])
def test_what_an_unfinished_upgrade_rests_on_stays(*, reference: bool) -> None:
    scene = installed()
    own = another(scene, origin=BackupOrigin.UPGRADE, backup_id=id_for_upgrade(OPERATION))
    noted = sealed(UPGRADE, backup_completed=reference, backup_reference=own if reference else None)
    scene.put(B6, noted)
    later = [another(scene) for _ in range(3)]
    assert own not in scene.do(keeping(scene, 1)).removed
    assert ids(scene) == [later[-1], own]
    refusal = scene.refused(deleting(scene, own))
    assert (refusal.code, refusal.detail) == (Code.SYSTEM_TRANSITION_IN_PROGRESS, own)
    lines = scene.do(looking.backup_list(scene.house)).backups
    assert {line.id: line.deletable for line in lines} == {own: False, later[-1]: True}
    del scene.site.world.files[B6]  # the upgrade is over
    assert scene.do(keeping(scene, 1)).removed == (own,)


def test_a_context_that_cannot_be_read_may_name_any_backup_of_an_upgrade() -> None:
    scene = installed()
    own = another(scene, origin=BackupOrigin.UPGRADE, backup_id=id_for_upgrade(OPERATION))
    mine = another(scene)
    scene.site.world.files[B6] = b"{"
    another(scene)
    assert scene.do(keeping(scene, 1)).removed == (mine,)
    assert scene.refused(deleting(scene, own)).code == Code.SYSTEM_TRANSITION_IN_PROGRESS


def test_damaged_sets_count_for_nothing_and_go_by_a_word_alone() -> None:
    scene = installed()
    scene.site.world.files["backups/sets/broken.emsbackup"] = b"{"
    first, second = another(scene), another(scene)
    assert scene.do(keeping(scene, 1)).removed == (first,)
    assert ids(scene) == [second, "broken"]
    scene.do(deleting(scene, "broken"))
    assert ids(scene) == [second]


def test_a_setting_that_cannot_be_read_lets_nothing_go() -> None:
    scene = installed()
    scene.do(keeping(scene, 1))
    scene.site.world.files["backups/retention.json"] = b"{"
    made = [another(scene) for _ in range(3)]
    assert ids(scene) == made[::-1]
    assert not scene.do(looking.backup_list(scene.house)).keep_known


def test_deleting_asks_first_and_names_what_is_not_there() -> None:
    scene, backup = kept()
    before = scene.files
    assert scene.refused(deleting(scene, backup.id, confirm=False)).code == Code.CONFIRMATION_REQUIRED
    assert scene.refused(deleting(scene, "nobody")).code == Code.NOT_FOUND
    assert scene.files == before
    scene.do(deleting(scene, backup.id))
    assert ids(scene) == []


# Making, and looking


def test_one_job_makes_one_backup_however_often_it_is_asked_for() -> None:
    """F38."""
    scene = installed()
    first, second = scene.do(creating(scene, label="a")), scene.do(creating(scene, label="a"))
    assert first is second
    refusal = scene.refused(creating(scene, label="b"))
    assert (refusal.code, refusal.more["operation"]) == (Code.WORK_IN_PROGRESS, WorkKind.BACKUP_CREATE)
    assert scene.refused(creating(scene, label="a", password=PASSWORD)).code == Code.WORK_IN_PROGRESS
    scene.finish()
    assert len(ids(scene)) == 1


def test_a_backup_may_be_made_beside_a_change_of_the_config() -> None:
    scene = installed()
    job = scene.do(creating(scene))
    scene.do(saving(scene, edited(scene)))
    scene.finish()
    assert job.error is None


def test_another_backup_is_what_stands_in_the_way_of_a_backup_whoever_holds_the_site() -> None:
    """F45."""
    scene = installed()
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    scene.do(creating(scene, label="a"))
    assert scene.refused(creating(scene, label="b")).more["operation"] == WorkKind.BACKUP_CREATE


def test_the_journal_tells_of_a_backup_and_no_secret_of_it() -> None:
    scene, backup = kept(password=PASSWORD, label="geheimes Etikett")
    scene.do(deleting(scene, backup.id))
    lines = [entry.line for entry in scene.site.journal.entries if entry.line.machine == "backup"]
    assert [(line.trigger, line.key) for line in lines] == [("create", backup.id), ("delete", backup.id)]
    assert PASSWORD not in repr(lines)
    assert "geheimes" not in repr(lines)


def test_a_backup_is_opened_proven_and_compared() -> None:
    scene, backup = kept(password=PASSWORD, scope=BackupScope.FULL)
    assert scene.do(looking.inspect(scene.house, backup.id, PASSWORD)).files is not None
    scene.do(saving(scene, edited(scene)))
    found = scene.do(looking.compare(scene.house, backup.id, PASSWORD, BackupPart.CONFIG))
    assert found.diff.changed == (("/system/max_total_power", 4000, 5000),)
    secrets = scene.do(looking.compare(scene.house, backup.id, PASSWORD, BackupPart.CREDENTIALS))
    password = next(iter(stored_secrets(scene).values()))["password"]
    assert password not in repr(secrets)
    known_good = scene.do(looking.compare(scene.house, backup.id, PASSWORD, BackupPart.KNOWN_GOOD))
    assert known_good.diff.text == ""
    for work, code in (
        (looking.inspect(scene.house, backup.id, None), Code.BACKUP_PASSWORD_REQUIRED),
        (looking.inspect(scene.house, backup.id, "x"), Code.BACKUP_PASSWORD_INVALID),
        (looking.inspect(scene.house, "nobody", None), Code.NOT_FOUND),
        (looking.compare(scene.house, backup.id, PASSWORD, BackupPart.RUNTIME_STATE), Code.NOT_FOUND),
        (looking.compare(scene.house, backup.id, PASSWORD, BackupPart.COMPOSE_FILE), Code.UNSUPPORTED_VALUE),
    ):
        assert scene.refused(work).code == code


def test_only_a_locked_backup_leaves_the_machine_and_comes_back_as_it_went() -> None:
    scene = installed()
    open_, locked = another(scene), another(scene, password=PASSWORD)
    assert scene.refused(looking.download(scene.house, open_)).code == Code.BACKUP_PASSWORD_REQUIRED
    data = scene.do(looking.download(scene.house, locked))
    assert scene.do(looking.download(scene.house, locked)) == data
    scene.do(deleting(scene, locked))
    added = scene.do(making.take_in(scene.house, scene.caller, data, confirm=True))
    assert added.id == locked
    assert scene.do(looking.inspect(scene.house, locked, PASSWORD)).files is not None
    with pytest.raises(RefusalError) as refused:
        scene.do(making.take_in(scene.house, scene.caller, data[:-1], confirm=True))
    assert refused.value.refusal.code == Code.BACKUP_DAMAGED
