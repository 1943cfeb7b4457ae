"""The live config and its credential store on disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Absent, ReadFault, Unreadable
from ems_admin.stores.config import CONFIG_LIMIT, ConfigFiles
from ems_admin.stores.folders import HASHED
from ems_admin.stores.records import sha256
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.files import ConfigStore, Content
from ems_admin.workflows.ports.records import Committed, NotCommitted
from tests.memory.running import MemoryClock

COMMIT = "0123456789abcdef"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    SiteFiles(admin_data=tmp_path / "admin").prepare()
    return tmp_path


@pytest.fixture
def store(root: Path) -> ConfigStore:
    return ConfigFiles(install_root=root, admin_data=root / "admin", clock=MemoryClock())


def content(data: bytes) -> Content:
    return Content(data=data, revision=sha256(data))


async def test_an_absent_config_is_absent_and_the_first_one_is_written(store: ConfigStore, root: Path) -> None:
    assert await store.config() == Absent()
    async with store.hold() as held:
        assert await held.write_config(b"{}") == Committed()
        assert await held.config() == content(b"{}")
    assert (root / "config/config.json").stat().st_mode & 0o777 == 0o644
    assert (root / "config").stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
async def test_a_config_keeps_mode_and_owner(store: ConfigStore, root: Path) -> None:
    async with store.hold() as held:
        await held.write_config(b"{}")
        path = root / "config/config.json"
        path.chmod(0o640)
        os.chown(path, 1234, 1235)
        assert await held.write_config(b"[]") == Committed()
    seen = path.stat()
    assert (seen.st_mode & 0o777, seen.st_uid, seen.st_gid) == (0o640, 1234, 1235)


async def test_a_byte_order_mark_is_accepted_and_counts_for_the_revision(store: ConfigStore, root: Path) -> None:
    """F07."""
    data = b"\xef\xbb\xbf{}"
    (root / "config").mkdir()
    (root / "config/config.json").write_bytes(data)
    assert await store.config() == content(data)


@pytest.mark.parametrize(
    ("data", "fault", "detail"),
    [
        (b'{"a": "\xff"}', ReadFault.NOT_UTF8, "7"),
        (b"", ReadFault.EMPTY, None),
        (b'{"a": 1, "a": 2}', ReadFault.DUPLICATE_KEYS, "a"),
    ],
    ids=["bad byte", "empty", "a key twice"],
)
async def test_an_unreadable_config_is_told_with_its_hash(
    store: ConfigStore, root: Path, data: bytes, fault: ReadFault, detail: str | None
) -> None:
    (root / "config").mkdir()
    (root / "config/config.json").write_bytes(data)
    assert await store.config() == Unreadable(fault=fault, detail=detail, sha256=sha256(data))


async def test_a_linked_config_is_read_through_and_never_written(store: ConfigStore, root: Path) -> None:
    """F09."""
    (root / "config").mkdir()
    (root / "elsewhere.json").write_bytes(b'{"a": 1}')
    (root / "config/config.json").symlink_to("../elsewhere.json")
    async with store.hold() as held:
        assert await held.config() == content(b'{"a": 1}')
        refused = NotCommitted(code=Code.CONFIG_FILE_NOT_REPLACEABLE, detail="symlink")
        assert await held.write_config(b"{}") == refused
    assert (root / "config/config.json").is_symlink()
    assert (root / "elsewhere.json").read_bytes() == b'{"a": 1}'


async def test_a_linked_config_folder_is_followed(root: Path) -> None:
    (root / "moved").mkdir()
    (root / "config").symlink_to("moved")
    store = ConfigFiles(install_root=root, admin_data=root / "admin", clock=MemoryClock())
    async with store.hold() as held:
        assert await held.write_config(b"{}") == Committed()
    assert (root / "moved/config.json").read_bytes() == b"{}"
    assert await store.config() == content(b"{}")


@pytest.mark.parametrize("old", [b'{"a": 1}', b"\xff no json", None], ids=["json", "bytes", "absent"])
async def test_credentials_are_rolled_back_to_their_exact_bytes(
    store: ConfigStore, root: Path, old: bytes | None
) -> None:
    path = root / "config/credentials.json"
    (root / "config").mkdir()
    if old is not None:
        path.write_bytes(old)
    async with store.hold() as held:
        assert await held.keep_credentials(COMMIT) == Committed()
        assert await held.write_credentials(b'{"new": 1}') == Committed()
        assert path.stat().st_mode & 0o777 == 0o600
        kept = await held.kept_credentials(COMMIT)
        assert kept == (Absent() if old is None else content(old))
        assert await held.write_credentials(kept.data if isinstance(kept, Content) else None) == Committed()
        assert await held.drop_kept_credentials(COMMIT) == Committed()
        assert await held.kept_credentials(COMMIT) == Absent()
    assert (path.read_bytes() if path.exists() else None) == old


async def test_kept_credentials_survive_the_next_holder(store: ConfigStore, root: Path) -> None:
    async with store.hold() as held:
        await held.write_credentials(b"{}")
        await held.keep_credentials(COMMIT)
    (root / "config/.config.json.01234567.tmp").touch()
    async with store.hold() as held:
        assert await held.kept_credentials(COMMIT) == content(b"{}")
    assert not (root / "config/.config.json.01234567.tmp").exists()


async def test_a_backup_is_an_exact_copy_and_never_overwrites_another(store: ConfigStore, root: Path) -> None:
    async with store.hold() as held:
        refused = NotCommitted(code=Code.CONFIG_UNREADABLE, detail="absent")
        assert await held.back_up("apply") == refused
        await held.write_config(b"{\n}")
        first, second = await held.back_up("apply"), await held.back_up("apply")
    assert first == "backups/config/20260101T120000Z-apply.json"
    assert second == "backups/config/20260101T120000Z-apply-2.json"
    assert (root / "admin" / first).read_bytes() == (root / "admin" / second).read_bytes() == b"{\n}"


async def test_what_fails_its_own_reading_is_never_backed_up(store: ConfigStore, root: Path) -> None:
    (root / "config").mkdir()
    (root / "config/config.json").write_bytes(b"{")
    async with store.hold() as held:
        outcome = await held.back_up("apply")
    assert outcome == NotCommitted(code=Code.CONFIG_UNREADABLE, detail="not_json")
    assert not (root / "admin/backups/config").exists()


async def test_what_fails_its_own_reading_is_set_aside_under_a_name_that_says_so(
    store: ConfigStore, root: Path
) -> None:
    (root / "config").mkdir()
    (root / "config/config.json").write_bytes(b"{")
    async with store.hold() as held:
        names = [await held.set_aside("W7") for _ in range(2)]
    assert names == [
        "backups/config/20260101T120000Z-W7.unreadable",
        "backups/config/20260101T120000Z-W7-2.unreadable",
    ]
    assert (root / "admin" / str(names[0])).read_bytes() == b"{"


async def test_names_that_could_lead_elsewhere_are_refused(store: ConfigStore) -> None:
    async with store.hold() as held:
        for call in (
            held.keep_credentials,
            held.kept_credentials,
            held.drop_kept_credentials,
            held.back_up,
            held.set_aside,
        ):
            with pytest.raises(ValueError, match=r"is no (label|commit id)"):
                await call("../escape")


async def test_credentials_that_are_too_large_are_never_kept_in_part(store: ConfigStore, root: Path) -> None:
    """DESIGN 3 a: what is rolled back is byte-exact, and half a file is none."""
    path = root / "config/credentials.json"
    path.parent.mkdir()
    data = b" " * (CONFIG_LIMIT + 7)
    path.write_bytes(data)
    async with store.hold() as files:
        outcome = await files.keep_credentials("c1")
    assert outcome == NotCommitted(code=Code.CREDENTIAL_STAGING_FAILED, detail="too_large")
    assert path.read_bytes() == data
    assert not (root / "config/.credentials.json.c1.kept").exists()


async def test_a_file_that_takes_too_long_to_hash_has_no_hash(store: ConfigStore, root: Path) -> None:
    (root / "config").mkdir()
    with (root / "config/config.json").open("wb") as file:
        file.truncate(HASHED + 1)
    assert await store.config() == Unreadable(fault=ReadFault.TOO_LARGE, detail=str(HASHED + 1), sha256=None)
