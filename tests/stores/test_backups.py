"""Backup sets: what disk and memory promise alike, and what only a disk can do (site.md 9)."""

# long because: one contract, asked of the file and of the one in memory, is read in one piece

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import attrs
import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import (
    BackupFacts,
    BackupOrigin,
    BackupPart,
    BackupRetention,
    BackupScope,
    LeftOut,
)
from ems_admin.machines.records.reading import Absent, Present, ReadFault
from ems_admin.stores.backup_format import pack
from ems_admin.stores.backups import BackupFiles
from ems_admin.stores.disk import DISK, Disk
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.backups import (
    BackupFailure,
    Backups,
    BackupSet,
    DamagedSet,
    Gathered,
    KeptFile,
    MadeSet,
    OpenedSet,
)
from ems_admin.workflows.ports.records import Committed, NotCommitted, RefusalError, Unprovable
from tests.memory.backups import QUICK
from tests.memory.site import MemorySite
from tests.memory.world import drive
from tests.stores.records import NOON
from tests.stores.running_out import RunningOut

PASSWORD = "Küche 🔋 offen"
CONFIG = '{"devices": [{"name": "Küche 🔋"}]}\n'.encode()
CREDENTIALS = '{"format_version": 1, "credentials": {"küche": {"username": "ü", "password": "geheim ß"}}}'.encode()
GATHERED = Gathered(
    files=(
        KeptFile(name=BackupPart.CONFIG, data=CONFIG),
        KeptFile(name=BackupPart.CREDENTIALS, data=CREDENTIALS),
    ),
    left_out=(LeftOut(name=BackupPart.MARKER, fault=ReadFault.NOT_JSON),),
)
FACTS = BackupFacts(
    id="20260101T120000Z-a",
    created_at=NOON,
    scope=BackupScope.FULL,
    label="Vor dem Urlaub 🔋",
    origin=BackupOrigin.PERSON,
    system_tag="v1.0.0",
)
DAMAGED = Code.BACKUP_DAMAGED
WAYS = pytest.mark.parametrize("password", [None, PASSWORD], ids=["open", "locked"])


def named(backup_id: str, hour: int = 12) -> BackupFacts:
    return attrs.evolve(FACTS, id=backup_id, created_at=NOON.replace(hour=hour))


def packed(facts: BackupFacts = FACTS, password: str | None = None) -> bytes:
    return pack(facts, GATHERED, password=password, cost=QUICK)


@attrs.frozen
class Kept:
    """A store of backups, its files by name below the Admin data, and how to run what awaits it."""

    store: Backups
    lay: Callable[[str, bytes], object]
    bytes_of: Callable[[str], bytes | None]
    run: Callable[[Coroutine[Any, Any, None]], None]


def on_disk(tmp_path: Path, disk: Disk = DISK) -> BackupFiles:
    files = SiteFiles(admin_data=tmp_path / "admin", disk=disk)
    SiteFiles(admin_data=tmp_path / "admin").prepare()
    return BackupFiles(files=files, install_root=tmp_path, cost=QUICK)


@pytest.fixture(params=["file", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    if request.param == "memory":
        files = (site := MemorySite()).world.files
        return Kept(site.backups, lambda name, data: files.update({name: data}), files.get, drive)
    admin = tmp_path / "admin"

    def lay(name: str, data: bytes) -> None:
        path = tmp_path / name.removeprefix("/") if name.startswith("/") else admin / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def bytes_of(name: str) -> bytes | None:
        return (admin / name).read_bytes() if (admin / name).exists() else None

    return Kept(on_disk(tmp_path), lay, bytes_of, asyncio.run)


def file_of(backup_id: str) -> str:
    return f"backups/sets/{backup_id}.emsbackup"


@WAYS
def test_what_is_opened_is_byte_for_byte_what_was_kept(kept: Kept, password: str | None) -> None:
    """F06: umlauts and signs as well."""

    async def claim() -> None:
        made = await kept.store.create(FACTS, GATHERED, password)
        assert isinstance(made, MadeSet)
        assert (made.found, made.backup.facts, made.backup.locked) == (False, FACTS, password is not None)
        opened = await kept.store.open(FACTS.id, password)
        assert isinstance(opened, OpenedSet)
        assert opened.files == GATHERED.files
        assert opened.backup.left_out == GATHERED.left_out
        assert opened.data(BackupPart.CONFIG) == CONFIG

    kept.run(claim())


def test_a_locked_set_tells_neither_its_contents_nor_their_names(kept: Kept) -> None:
    async def claim() -> None:
        await kept.store.create(FACTS, GATHERED, PASSWORD)
        (listed,) = await kept.store.sets()  # type: ignore[misc]
        assert isinstance(listed, BackupSet)
        assert (listed.contents, listed.files, listed.facts) == (None, (), FACTS)
        data = kept.bytes_of(file_of(FACTS.id)) or b""
        for told in ("geheim", "devices", BackupPart.CONFIG, BackupPart.MARKER, PASSWORD):
            assert told.encode() not in data
            assert json.dumps(told).strip('"').encode() not in data

    kept.run(claim())


def test_a_password_opens_a_set_however_its_letters_are_put_together(kept: Kept) -> None:
    async def claim() -> None:
        await kept.store.create(FACTS, GATHERED, "Ku\u0308che")
        assert isinstance(await kept.store.open(FACTS.id, "K\u00fcche"), OpenedSet)

    kept.run(claim())


@pytest.mark.parametrize(
    ("tried", "code"),
    [
        (None, Code.BACKUP_PASSWORD_REQUIRED),
        ("", Code.BACKUP_PASSWORD_INVALID),
        (PASSWORD + " ", Code.BACKUP_PASSWORD_INVALID),
    ],
)
def test_a_locked_set_opens_by_its_password_alone(kept: Kept, tried: str | None, code: Code) -> None:
    async def claim() -> None:
        await kept.store.create(FACTS, GATHERED, PASSWORD)
        assert await kept.store.open(FACTS.id, tried) == BackupFailure(code=code)

    kept.run(claim())


@WAYS
def test_a_set_is_made_once_under_its_id(kept: Kept, password: str | None) -> None:
    """A cut finds it again: what the second call would have kept is not looked at."""

    async def claim() -> None:
        first = await kept.store.create(FACTS, GATHERED, password)
        before = kept.bytes_of(file_of(FACTS.id))
        again = await kept.store.create(attrs.evolve(FACTS, label="again"), Gathered(files=()), password)
        assert isinstance(first, MadeSet)
        assert isinstance(again, MadeSet)
        assert (again.found, again.backup.sha256, again.backup.facts) == (True, first.backup.sha256, FACTS)
        assert kept.bytes_of(file_of(FACTS.id)) == before

    kept.run(claim())


@pytest.mark.parametrize("data", [b"", b"{", packed()[:-1], packed(named("another"))])
def test_a_damaged_set_of_that_id_is_made_anew(kept: Kept, data: bytes) -> None:
    kept.lay(file_of(FACTS.id), data)

    async def claim() -> None:
        made = await kept.store.create(FACTS, GATHERED, None)
        assert isinstance(made, MadeSet)
        assert not made.found
        assert isinstance(await kept.store.open(FACTS.id, None), OpenedSet)

    kept.run(claim())


@WAYS
def test_a_flipped_byte_anywhere_is_found(kept: Kept, password: str | None) -> None:
    """Head, sum, manifest, list and contents: each region has its step, and none is longer than it."""
    whole = packed(password=password)
    places = [*range(90), *range(90, len(whole), 7), len(whole) - 1]

    async def claim() -> None:
        for place in places:
            kept.lay(file_of(FACTS.id), whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            opened = await kept.store.open(FACTS.id, password)
            assert isinstance(opened, BackupFailure), place
            assert opened.code is DAMAGED, place
            assert isinstance(await kept.store.data(FACTS.id), BackupFailure)
        (listed,) = await kept.store.sets()  # type: ignore[misc]
        assert isinstance(listed, DamagedSet)

    kept.run(claim())


@WAYS
def test_a_set_that_was_cut_short_is_damaged(kept: Kept, password: str | None) -> None:
    whole = packed(password=password)

    async def claim() -> None:
        for length in (0, 1, 18, 19, 40, 84, 85, len(whole) // 2, len(whole) - 1):
            kept.lay(file_of(FACTS.id), whole[:length])
            opened = await kept.store.open(FACTS.id, password)
            assert isinstance(opened, BackupFailure), length
            assert opened.code is DAMAGED

    kept.run(claim())


@pytest.mark.parametrize("name", ["../escape", "/etc/passwd", "a/b", "", ".", "..", "a.b", "a" * 97, "ü", "a\0"])
def test_a_name_that_could_lead_elsewhere_names_nothing(kept: Kept, name: str) -> None:
    kept.lay("escape.emsbackup", packed())

    async def claim() -> None:
        assert await kept.store.open(name, None) == Absent()
        assert await kept.store.data(name) == Absent()
        assert await kept.store.delete(name) == Absent()
        assert kept.bytes_of("escape.emsbackup") is not None

    kept.run(claim())


def test_a_set_from_elsewhere_is_taken_in_whole_or_not_at_all(kept: Kept) -> None:
    whole, other = packed(password=PASSWORD), packed(password=PASSWORD)  # each with a salt of its own

    async def claim() -> None:
        added = await kept.store.add(whole)
        assert isinstance(added, MadeSet)
        assert kept.bytes_of(file_of(FACTS.id)) == whole
        again = await kept.store.add(whole)
        assert isinstance(again, MadeSet)
        assert again.found
        assert await kept.store.add(other) == NotCommitted(code=Code.TARGET_EXISTS, detail=FACTS.id)
        assert kept.bytes_of(file_of(FACTS.id)) == whole
        refused = await kept.store.add(whole[:-1])
        assert isinstance(refused, BackupFailure)
        assert refused.code is DAMAGED

    kept.run(claim())


@pytest.mark.parametrize("backup_id", ["../x", "a/b", "", "a" * 97, "a.b"])
def test_a_set_from_elsewhere_is_never_put_outside_the_folder(kept: Kept, backup_id: str) -> None:
    async def claim() -> None:
        assert await kept.store.add(packed(named(backup_id))) == BackupFailure(code=DAMAGED, detail="wrong_shape")
        assert await kept.store.sets() == ()

    kept.run(claim())


def test_the_newest_set_is_listed_first_and_damage_last(kept: Kept) -> None:
    kept.lay(file_of("broken"), b"{")

    async def claim() -> None:
        for backup_id, hour in (("old", 1), ("new", 3), ("middle", 2)):
            await kept.store.create(named(backup_id, hour), GATHERED, None)
        sets = await kept.store.sets()
        assert isinstance(sets, tuple)
        assert [one.id for one in sets] == ["new", "middle", "old", "broken"]
        assert isinstance(sets[-1], DamagedSet)
        assert sets[-1].fault is ReadFault.WRONG_SHAPE

    kept.run(claim())


def test_what_is_deleted_is_gone_damaged_or_not(kept: Kept) -> None:
    kept.lay(file_of("broken"), b"{")

    async def claim() -> None:
        await kept.store.create(FACTS, GATHERED, None)
        assert await kept.store.delete(FACTS.id) == Committed()
        assert await kept.store.delete(FACTS.id) == Absent()
        assert await kept.store.delete("broken") == Committed()
        assert await kept.store.sets() == ()

    kept.run(claim())


def test_how_many_are_kept_is_remembered(kept: Kept) -> None:
    async def claim() -> None:
        assert await kept.store.retention() == Absent()
        assert await kept.store.keep(wanted := BackupRetention(format_version=1, keep=7)) == Committed()
        reading = await kept.store.retention()
        assert isinstance(reading, Present)
        assert reading.record == wanted

    kept.run(claim())


def test_evidence_that_fails_its_own_decoder_is_named_and_not_passed_on(kept: Kept) -> None:
    kept.lay("/data/runtime-state.json", b'{"format_version": 1, "overrides": {}}')
    kept.lay("/stack.json", b'{"a": 1, "a": 2}')
    kept.lay("/docker-compose.yml", b"services:\n  ems: {image: x}\n")
    kept.lay("state/known-good-system-build.json", b'{"system_tag": "v1.0.0"}')
    kept.lay("state/selected-release.json", b"")

    async def claim() -> None:
        found = await kept.store.evidence()
        assert [file.name for file in found.files] == [BackupPart.RUNTIME_STATE, BackupPart.COMPOSE_FILE]
        assert {(one.name, one.fault) for one in found.left_out} == {
            (BackupPart.NATIVE_STACK, ReadFault.DUPLICATE_KEYS),
            (BackupPart.KNOWN_GOOD, ReadFault.WRONG_SHAPE),
            (BackupPart.SELECTED_RELEASE, ReadFault.EMPTY),
        }

    kept.run(claim())


# The disk alone


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    folder = tmp_path / "admin/backups/sets"
    folder.mkdir(parents=True)
    return folder


def is_there(path: Path) -> bool:
    return path.exists()


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def test_sets_are_for_the_admin_alone(tmp_path: Path) -> None:
    await on_disk(tmp_path).create(FACTS, GATHERED, None)
    made = tmp_path / "admin" / file_of(FACTS.id)
    assert (mode_of(made), mode_of(made.parent)) == (0o600, 0o700)


async def test_a_link_in_the_place_of_a_set_is_neither_read_nor_written_nor_removed(tmp_path: Path, sets: Path) -> None:
    """D7, F09."""
    store = on_disk(tmp_path)
    target = tmp_path / "target"
    target.write_bytes(packed())
    (sets / f"{FACTS.id}.emsbackup").symlink_to(target)
    unsafe = BackupFailure(code=DAMAGED, detail=ReadFault.FILE_UNSAFE)
    assert await store.open(FACTS.id, None) == unsafe
    assert await store.data(FACTS.id) == unsafe
    for outcome in (await store.create(FACTS, GATHERED, None), await store.delete(FACTS.id)):
        assert isinstance(outcome, NotCommitted)
        assert outcome.code is Code.STATE_FILE_UNSAFE
    assert ((sets / f"{FACTS.id}.emsbackup").is_symlink(), target.read_bytes()) == (True, packed())


async def test_behind_a_linked_folder_nothing_happens(tmp_path: Path) -> None:
    store = on_disk(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "admin/backups/sets").symlink_to(elsewhere)
    with pytest.raises(RefusalError) as refused:
        await store.create(FACTS, GATHERED, None)
    assert refused.value.refusal.code is Code.STATE_DIRECTORY_UNSAFE
    assert list(elsewhere.iterdir()) == []


async def test_a_file_without_end_is_not_read_to_its_end(tmp_path: Path, sets: Path) -> None:
    store = on_disk(tmp_path)
    with (sets / f"{FACTS.id}.emsbackup").open("wb") as file:
        file.write(packed())
        file.truncate(1 << 40)  # a terabyte, of which nothing lies on the disk
    too_large = BackupFailure(code=DAMAGED, detail=ReadFault.TOO_LARGE)
    assert await store.open(FACTS.id, PASSWORD) == too_large
    assert await store.data(FACTS.id) == too_large


async def test_what_a_kill_left_is_removed_by_the_next_who_writes(tmp_path: Path, sets: Path) -> None:
    store = on_disk(tmp_path)
    left, stranger = sets / ".x.emsbackup.0123abcd.tmp", sets / ".notes.tmp"
    left.touch()
    stranger.touch()
    await store.create(FACTS, GATHERED, None)
    assert (left.exists(), stranger.exists()) == (False, True)
    listed = await store.sets()
    assert isinstance(listed, tuple)
    assert [one.id for one in listed] == [FACTS.id]


class Failing(RunningOut):
    """Such a disk, for what is written of a set alone: the signature of the lock costs nothing."""

    def write(self, file: int, data: bytes) -> int:
        return super().write(file, data) if b"ems-admin-backup" in data else Disk.write(self, file, data)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO], ids=["full", "failing"])
async def test_a_disk_that_fails_anywhere_leaves_a_whole_set_or_none(tmp_path: Path, error: int) -> None:
    """F01, F10: the answer says which, and nothing partial ever has a name."""
    for room in range(20):
        root = tmp_path / str(room)
        root.mkdir()
        try:
            made = await on_disk(root, Failing(room, error)).create(FACTS, GATHERED, None)
        except RefusalError as refused:
            made = NotCommitted(code=Code(refused.refusal.code), detail=refused.refusal.detail)
        found = list((root / "admin/backups").rglob("*.emsbackup")) + list((root / "admin/backups").rglob("*.tmp"))
        again = await on_disk(root).open(FACTS.id, None)
        if isinstance(made, MadeSet):
            assert isinstance(again, OpenedSet)
            assert len(found) == 1
            if not made.storage_unreliable:
                break
        elif isinstance(made, NotCommitted):
            assert (made.code, found) == (Code.STATE_WRITE_FAILED, []), room
            assert made.detail == ("no_space" if error == errno.ENOSPC else "io_error")
        else:
            assert isinstance(made, Unprovable)
    else:
        pytest.fail("there was never room enough")


class Forgetful(Disk):
    """A disk that says yes to everything and loses a byte. Mutable: it counts down to it."""

    def write(self, file: int, data: bytes) -> int:
        lost = data.replace(b"devices", b"devixes") if data.startswith(b"ems-admin-backup") else data
        return super().write(file, lost)


async def test_what_does_not_read_back_is_not_called_a_backup(tmp_path: Path, sets: Path) -> None:
    made = await on_disk(tmp_path, Forgetful()).create(FACTS, GATHERED, None)
    assert made == BackupFailure(code=DAMAGED, detail=ReadFault.IO_ERROR)
    assert not is_there(sets / f"{FACTS.id}.emsbackup")
