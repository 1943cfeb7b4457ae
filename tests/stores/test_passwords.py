"""The password of the first person."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from ems_admin.stores.passwords import PasswordStore
from ems_admin.workflows.ports.access import PasswordFile, Passwords
from ems_admin.workflows.ports.records import Committed, NotCommitted
from tests.memory.running import MemoryClock
from tests.stores.records import NOON

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def store(tmp_path: Path) -> PasswordStore:
    return PasswordStore(install_root=tmp_path, clock=MemoryClock(), hasher=QUICK)


async def test_a_password_is_created_once_and_compared(store: Passwords, tmp_path: Path) -> None:
    assert await store.state() is PasswordFile.ABSENT
    assert not await store.verify("Küche 🔋")
    assert await store.create("Küche 🔋") == Committed()
    assert await store.create("another") is None
    assert await store.state() is PasswordFile.CONFIGURED
    assert await store.verify("Küche 🔋")
    assert not await store.verify("another")
    path = tmp_path / "config/admin-auth.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert "Küche" not in path.read_text(encoding="utf-8")
    assert '"password_hash": "$argon2id$' in path.read_text(encoding="utf-8")


async def test_of_two_first_visitors_one_is_first(store: Passwords) -> None:
    outcomes = await asyncio.gather(store.create("one"), store.create("two"))
    assert sorted(outcomes, key=repr) == [Committed(), None]


FAULTS: dict[str, tuple[bytes, PasswordFile]] = {
    "empty": (b"", PasswordFile.MALFORMED),
    "no json": (b"{", PasswordFile.MALFORMED),
    "not utf-8": (b"\xff", PasswordFile.MALFORMED),
    "another shape": (b'{"format_version": 1}', PasswordFile.MALFORMED),
    "a hash of another kind": (
        b'{"format_version": 1, "password_hash": "$1$x$y", "created_at": "2026-01-01T12:00:00Z"}',
        PasswordFile.MALFORMED,
    ),
    "a newer format": (b'{"format_version": 2, "x": 1}', PasswordFile.UNSUPPORTED_FORMAT),
}


@pytest.mark.parametrize(("data", "state"), FAULTS.values(), ids=FAULTS.keys())
async def test_a_damaged_file_never_opens_the_first_set_up_again(
    store: Passwords, tmp_path: Path, data: bytes, state: PasswordFile
) -> None:
    path = tmp_path / "config/admin-auth.json"
    path.parent.mkdir()
    path.write_bytes(data)
    assert await store.state() is state
    assert await store.create("mine now") is None
    assert not await store.verify("mine now")
    assert path.read_bytes() == data


async def test_a_link_is_unreadable_and_stays(store: Passwords, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config/admin-auth.json").symlink_to("nowhere")
    assert await store.state() is PasswordFile.UNREADABLE
    assert await store.create("mine now") is None


@pytest.mark.parametrize("data", [b"{", None], ids=["damaged", "sound"])
async def test_a_reset_sets_the_file_aside_and_keeps_every_one(
    store: PasswordStore, tmp_path: Path, data: bytes | None
) -> None:
    assert await store.reset(NOON) is None
    path = tmp_path / "config/admin-auth.json"
    await store.create("first")
    if data is not None:
        path.write_bytes(data)
    bytes_before = path.read_bytes()
    assert await store.reset(NOON) == "admin-auth.json.20260101T120000Z"
    assert await store.state() is PasswordFile.ABSENT
    assert (path.parent / "admin-auth.json.20260101T120000Z").read_bytes() == bytes_before
    assert await store.create("second") == Committed()
    assert await store.reset(NOON) == "admin-auth.json.20260101T120000Z-2"


async def test_a_file_in_the_place_of_the_folder_is_an_outcome(store: Passwords, tmp_path: Path) -> None:
    (tmp_path / "config").touch()
    assert await store.state() is PasswordFile.UNREADABLE
    assert not isinstance(await store.verify("x"), NotCommitted)
