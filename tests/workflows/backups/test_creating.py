"""A backup holds what was there, is proven, and is made once where it has to be found again (site.md 9)."""

from __future__ import annotations

import json
from collections.abc import Coroutine
from typing import Any

import attrs
import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import BackupOrigin, BackupPart, BackupScope, LeftOut
from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.reading import ReadFault
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.backups.creating import Wanted, make_backup
from ems_admin.workflows.backups.making import create
from ems_admin.workflows.ports.backups import BackupSet, OpenedSet
from ems_admin.workflows.ports.engine import Progress
from tests.memory.world import Durable
from tests.workflows.maintenance.edits import edited, installed, saving
from tests.workflows.scene import B5, CONFIG, CREDENTIALS, INTENT, PowerCut, Scene

ID = "upgrade-" + "a" * 32
FILE = f"backups/sets/{ID}.emsbackup"


def making(scene: Scene, **changes: Any) -> Coroutine[Any, Any, BackupSet]:
    asked: dict[str, Any] = {
        "scope": BackupScope.CONFIG,
        "label": "Vor dem Urlaub 🔋",
        "origin": BackupOrigin.UPGRADE,
        "backup_id": ID,
        "report": lambda _: None,
    } | changes
    return make_backup(scene.house, **asked)


def opened(scene: Scene, backup_id: str = ID, password: str | None = None) -> OpenedSet:
    found = scene.do(scene.house.backups.open(backup_id, password))
    assert isinstance(found, OpenedSet)
    return found


def test_a_backup_of_the_config_holds_it_with_its_secrets_byte_for_byte() -> None:
    scene = installed()
    made = scene.do(making(scene))
    found = opened(scene)
    assert found.data(BackupPart.CONFIG) == scene.files[CONFIG]
    assert found.data(BackupPart.CREDENTIALS) == scene.files[CREDENTIALS]
    assert (len(found.files), made.left_out, made.facts.system_tag) == (2, (), "v1.0.0")


def test_a_full_backup_holds_how_the_site_stood_as_well() -> None:
    scene = installed()
    scene.do(making(scene, scope=BackupScope.FULL))
    assert opened(scene).data(BackupPart.KNOWN_GOOD) == scene.files[B5]
    assert BackupPart.MARKER in {file.name for file in opened(scene).files}


def test_one_step_is_reported_whoever_listens() -> None:
    heard: list[Progress] = []
    scene = installed()
    scene.do(making(scene, report=heard.append))
    assert {progress.step for progress in heard} == {"backup"}


def test_a_backup_with_the_id_of_an_upgrade_is_made_once() -> None:
    scene = installed()
    first = scene.do(making(scene))
    scene.do(saving(scene, edited(scene)))
    before = scene.files
    assert scene.do(making(scene, label="again")) == first
    assert scene.files == before


@pytest.mark.parametrize("damage", [b"", b"{"])
def test_one_that_was_damaged_meanwhile_is_made_anew(damage: bytes) -> None:
    scene = installed()
    scene.do(making(scene))
    scene.site.world.files[FILE] = damage
    scene.do(making(scene))
    assert opened(scene).data(BackupPart.CONFIG) == scene.files[CONFIG]


@pytest.mark.parametrize(
    ("data", "detail"), [(b"{", "not_json"), (b"", "empty"), (b"\xff", "not_utf8"), (None, "absent")]
)
def test_a_config_that_fails_its_own_reading_makes_no_backup(data: bytes | None, detail: str) -> None:
    scene = installed()
    if data is None:
        del scene.site.world.files[CONFIG]
    else:
        scene.site.world.files[CONFIG] = data
    refusal = scene.refused(making(scene))
    assert (refusal.code, refusal.detail) == (Code.CONFIG_UNREADABLE, detail)
    asked = Wanted(scope=BackupScope.CONFIG, label="", origin=BackupOrigin.PERSON)
    assert scene.refused(create(scene.house, scene.caller, asked, confirm=True)) == refusal, "before there is a job"
    assert scene.house.jobs.latest(WorkKind.BACKUP_CREATE) is None
    assert FILE not in scene.files


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"{", ReadFault.NOT_JSON),
        (b"\xff", ReadFault.NOT_UTF8),
        (b'{"credentials": []}', ReadFault.WRONG_SHAPE),
        (b'{"a": 1, "a": 2}', ReadFault.DUPLICATE_KEYS),
    ],
)
def test_secrets_that_fail_their_own_reading_are_named_and_left_out(data: bytes, fault: ReadFault) -> None:
    scene = installed()
    scene.site.world.files[CREDENTIALS] = data
    made = scene.do(making(scene))
    assert made.left_out == (LeftOut(name=BackupPart.CREDENTIALS, fault=fault),)
    assert opened(scene).data(BackupPart.CREDENTIALS) is None


@pytest.mark.parametrize("label", ["x" * 161, "a\nb", "\x1b[31m"])
def test_a_label_is_one_short_line(label: str) -> None:
    scene = installed()
    refusal = scene.refused(making(scene, label=label))
    assert (refusal.code, refusal.detail) == (Code.UNSUPPORTED_VALUE, "/label")


def test_an_empty_password_locks_nothing_and_is_refused() -> None:
    scene = installed()
    refused = scene.refused(making(scene, password=""))
    assert (refused.code, refused.detail) == (Code.UNSUPPORTED_VALUE, "/password")


def test_a_full_disk_makes_no_backup_and_says_so() -> None:
    scene = installed()
    scene.fail(FILE)
    refusal = scene.refused(making(scene))
    assert refusal.code == Code.STATE_WRITE_FAILED
    assert FILE not in scene.files
    assert scene.do(making(scene)).id == ID


def test_config_and_secrets_of_a_change_that_was_cut_are_not_kept_as_a_pair() -> None:
    """The intent is settled first: back to the old pair, which is then kept."""
    scene = installed()
    before = scene.files
    work = saving(scene, edited(scene))
    scene.until(work, lambda mark: mark == Durable(INTENT))
    scene = scene.restart(start_up=False)
    scene.do(making(scene))
    assert opened(scene).data(BackupPart.CONFIG) == before[CONFIG]
    assert INTENT not in scene.files


def test_a_change_that_nobody_can_prove_keeps_backups_closed() -> None:
    scene = installed()
    work = saving(scene, edited(scene))
    scene.until(work, lambda mark: mark == Durable(INTENT))
    scene = scene.restart(start_up=False)
    intent = scene.record(INTENT, ConfigCommit)
    scene.put(INTENT, attrs.evolve(intent, config=attrs.evolve(intent.config, old="0" * 64)))
    assert scene.refused(making(scene)).code == Code.CONFIG_COMMIT_UNPROVABLE
    assert FILE not in scene.files


@pytest.mark.parametrize("password", [None, "geheim"])
def test_a_cut_anywhere_leaves_a_whole_backup_or_none_and_the_next_try_ends_it(password: str | None) -> None:
    for cut in range(1, 10):
        scene = installed()
        scene.cut_after = len(scene.durable) + cut
        try:
            scene.do(making(scene, password=password))
        except PowerCut:
            pass
        else:
            assert cut > 1
            return
        scene = scene.restart()
        made = scene.do(making(scene, password=password))
        assert opened(scene, password=password).backup.sha256 == made.sha256
        assert json.loads(opened(scene, password=password).data(BackupPart.CONFIG) or b"")
    pytest.fail("it never came to its end")


def test_an_upgrade_to_the_longest_tag_has_room_for_its_label() -> None:
    scene = installed()
    assert scene.do(making(scene, label=f"Before the upgrade to v1{'x' * 127}")).id == ID
