"""Backups of released records: what disk and memory promise alike, and what only a disk can do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import pytest

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.fingerprint import UpgradeIdentity
from ems_admin.machines.lifecycle.release import Release
from ems_admin.machines.records.recovery import RecoveryManifest, ReleasedFile
from ems_admin.stores.recovery import RecoveryFolders
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.records import Committed, NotCommitted
from ems_admin.workflows.ports.recovery import BackedUp, RecoveryBackups
from tests.memory.site import MemorySite
from tests.memory.world import drive
from tests.stores.records import NOON, UPGRADE
from tests.stores.running_out import RunningOut

B1 = "state/pending-transition.json"
B6 = "state/guided-upgrade-context.json"
STAMP = "state/workflow-recovery/20260101T120000Z"


@attrs.frozen
class Kept:
    """A store of backups, how to put bytes under it, and how to run what awaits it."""

    store: RecoveryBackups
    lay: Callable[[str, bytes], object]
    bytes_of: Callable[[str], bytes | None]
    run: Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(params=["file", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    if request.param == "memory":
        files = (site := MemorySite()).world.files
        return Kept(site.recovery, lambda name, data: files.update({name: data}), files.get, drive)
    site_files = SiteFiles(admin_data=tmp_path)
    site_files.prepare()
    return Kept(
        RecoveryFolders(files=site_files),
        lambda name, data: (tmp_path / name).write_bytes(data),
        lambda name: (tmp_path / name).read_bytes() if (tmp_path / name).exists() else None,
        asyncio.run,
    )


def test_each_release_has_a_folder_of_its_own(kept: Kept) -> None:
    """site.md 4: a name collision gets -2, -3."""

    async def claim() -> None:
        made = [await kept.store.open_folder(NOON) for _ in range(3)]
        assert made == [STAMP, f"{STAMP}-2", f"{STAMP}-3"]

    kept.run(claim())


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\x00" * 3, b"x" * 200_000])
def test_a_copy_has_the_very_bytes_whatever_they_are(kept: Kept, data: bytes) -> None:
    kept.lay(B1, data)

    async def claim() -> None:
        folder = await kept.store.open_folder(NOON)
        assert isinstance(folder, str)
        copied = await kept.store.back_up(B1, folder)
        assert copied == BackedUp(sha256=sha256(data).hexdigest(), bytes=len(data))
        assert kept.bytes_of(f"{folder}/pending-transition.json") == kept.bytes_of(B1) == data

    kept.run(claim())


def test_what_is_not_there_is_not_copied(kept: Kept) -> None:
    async def claim() -> None:
        folder = await kept.store.open_folder(NOON)
        assert isinstance(folder, str)
        assert await kept.store.back_up(B1, folder) is None

    kept.run(claim())


MANIFEST = RecoveryManifest(
    manifest_version=1,
    created_at=NOON,
    mode="release_stale_state",
    reason="Küche 🔋",
    admin_revision=None,
    lifecycle_fingerprint="sha256:0",
    files=(ReleasedFile(name=B1, reason=Release.UNREADABLE_STATE, sha256="a" * 64, bytes=1),),
)


def test_the_manifest_is_read_back(kept: Kept) -> None:
    async def claim() -> None:
        folder = await kept.store.open_folder(NOON)
        assert isinstance(folder, str)
        assert await kept.store.write_manifest(MANIFEST, folder) == Committed()
        data = kept.bytes_of(f"{folder}/recovery-manifest.json")
        assert data is not None
        assert codec.decode(data, RecoveryManifest) == MANIFEST

    kept.run(claim())


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (codec.encode(UPGRADE).replace(b'"format_version": 3', b'"format_version": 2'), True),
        (b'{"operation_id": "a", "target_system_tag": "t", "surplus": 1}', True),
        (b'{"operation_id": "a"}', False),
        (b'{"operation_id": 1, "target_system_tag": "t"}', False),
        (b'{"operation_id": "", "target_system_tag": "t"}', False),
        (b"[]", False),
        (b"{", False),
        (b"\xff", False),
        (None, False),
    ],
)
def test_identity_is_not_validity(kept: Kept, data: bytes | None, *, named: bool) -> None:
    """Seed 000 7.6: whom B6 names, also when it does not load."""
    if data is not None:
        kept.lay(B6, data)

    async def claim() -> None:
        identity = await kept.store.upgrade_identity()
        assert (identity is not None) is named
        if data is not None and b"surplus" in data:
            assert identity == UpgradeIdentity(operation_id="a", target_system_tag="t")

    kept.run(claim())


# The disk alone


@pytest.fixture
def folders(tmp_path: Path) -> RecoveryFolders:
    files = SiteFiles(admin_data=tmp_path)
    files.prepare()
    (tmp_path / B1).write_bytes(b"{")
    return RecoveryFolders(files=files)


async def test_copies_are_for_the_admin_alone(folders: RecoveryFolders, tmp_path: Path) -> None:
    folder = await folders.open_folder(NOON)
    assert isinstance(folder, str)
    await folders.back_up(B1, folder)
    made = tmp_path / folder
    assert ((made / "pending-transition.json").stat().st_mode & 0o777, made.stat().st_mode & 0o777) == (0o600, 0o700)


async def test_behind_a_link_nothing_is_read_or_made(folders: RecoveryFolders, tmp_path: Path) -> None:
    """Seed 000 7.4; D7: the state directory must not be a symlink."""
    folder = await folders.open_folder(NOON)
    assert isinstance(folder, str)
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "state").rename(elsewhere)
    (tmp_path / "state").symlink_to(elsewhere)
    before = sorted(elsewhere.rglob("*"))
    unsafe = NotCommitted(code=Code.STATE_DIRECTORY_UNSAFE, detail="state/workflow-recovery")
    assert await folders.open_folder(NOON) == unsafe
    copied = await folders.back_up(B1, folder)
    assert isinstance(copied, NotCommitted)
    assert copied.code is Code.STATE_DIRECTORY_UNSAFE
    written = await folders.write_manifest(MANIFEST, folder)
    assert isinstance(written, NotCommitted)
    assert written.code is Code.STATE_DIRECTORY_UNSAFE
    assert sorted(elsewhere.rglob("*")) == before


async def test_a_record_that_is_a_link_is_not_copied(folders: RecoveryFolders, tmp_path: Path) -> None:
    """D7, F09: link and target unchanged."""
    target = tmp_path / "target.json"
    (tmp_path / B1).rename(target)
    (tmp_path / B1).symlink_to(target)
    folder = await folders.open_folder(NOON)
    assert isinstance(folder, str)
    copied = await folders.back_up(B1, folder)
    assert isinstance(copied, NotCommitted)
    assert copied.code is Code.STATE_FILE_UNSAFE
    assert list((tmp_path / folder).iterdir()) == []
    assert (target.read_bytes(), (tmp_path / B1).is_symlink()) == (b"{", True)


async def test_a_disk_that_fills_up_anywhere_never_leaves_half_a_copy(tmp_path: Path) -> None:
    """F01, and the preface of State files: nothing partial ever gets a final name."""
    whole = False
    for room in range(40):
        root = tmp_path / str(room)
        SiteFiles(admin_data=root).prepare()
        (root / B1).write_bytes(b"{")
        folders = RecoveryFolders(files=SiteFiles(admin_data=root, disk=RunningOut(room)))
        folder = await folders.open_folder(NOON)
        copied = await folders.back_up(B1, folder) if isinstance(folder, str) else folder
        found = [path.read_bytes() for path in root.rglob("*") if path.is_file() and "workflow-recovery" in str(path)]
        assert found in ([], [b"{"]), room
        if isinstance(copied, BackedUp):
            assert found == [b"{"]
            whole = True
            break
        assert isinstance(copied, NotCommitted), room
        assert (copied.code, copied.detail) == (Code.STATE_WRITE_FAILED, "no_space")
        assert (root / B1).read_bytes() == b"{"
    assert whole
