"""The lock of a set: what it costs is bounded, and who forges a set is found out even with a right sum (site.md 9)."""

from __future__ import annotations

import hashlib
import json
import time
from typing import Any

import attrs
import pytest

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import BACKUP_FORMAT, BackupContents, BackupManifest
from ems_admin.machines.records.reading import ReadFault
from ems_admin.stores.backup_format import BREAK, HEAD, SUM, DamagedError, open_set, pack, read_set
from ems_admin.stores.backup_locks import COST, MOST_LANES, MOST_MEMORY, MOST_PASSES, bounded, key_of, new_key
from ems_admin.workflows.ports.backups import BackupFailure, OpenedSet
from tests.memory.backups import QUICK
from tests.stores.test_backups import FACTS, GATHERED, PASSWORD, packed


def forged(data: bytes, change: Any) -> bytes:
    """Change the manifest of a set, and mend the sum over it."""
    head, _, body = data[len(HEAD) + SUM :].partition(BREAK)
    manifest = json.loads(head)
    change(manifest)
    rest = json.dumps(manifest, indent=2).encode() + BREAK + body
    return HEAD + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def fault(data: bytes) -> ReadFault:
    with pytest.raises(DamagedError) as damaged:
        read_set(data)
    return damaged.value.fault


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("memory_kib", MOST_MEMORY + 1),
        ("memory_kib", 1 << 40),
        ("memory_kib", 7),
        ("passes", MOST_PASSES + 1),
        ("passes", 0),
        ("lanes", MOST_LANES + 1),
        ("lanes", 0),
        ("salt", "00"),
        ("salt", "zz" * 16),
        ("nonce", "00" * 13),
        ("check", ""),
        ("derivation", "scrypt"),
        ("cipher", "none"),
    ],
)
def test_a_lock_beyond_the_bounds_is_not_even_tried(word: str, value: object) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["lock"][word] = value

    data = forged(packed(password=PASSWORD), change)
    before = time.monotonic()
    assert fault(data) is ReadFault.WRONG_SHAPE
    assert open_set(data, PASSWORD) == BackupFailure(code=Code.BACKUP_DAMAGED, detail=ReadFault.WRONG_SHAPE)
    assert time.monotonic() - before < 1


@pytest.mark.parametrize("word", ["label", "id", "system_tag", "scope"])
def test_the_plain_head_of_a_locked_set_cannot_be_exchanged(word: str) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["facts"][word] = "config" if word == "scope" else "other"

    data = forged(packed(password=PASSWORD), change)
    read_set(data)  # as far as anybody can tell without the password
    assert open_set(data, PASSWORD) == BackupFailure(code=Code.BACKUP_DAMAGED, detail=ReadFault.TAMPERED)


def test_a_sealed_part_from_another_set_does_not_open_here() -> None:
    ours, theirs = packed(password=PASSWORD), packed(password=PASSWORD)
    body = theirs.partition(BREAK)[2]
    rest = ours[len(HEAD) + SUM :].partition(BREAK)[0] + BREAK + body
    data = HEAD + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest
    assert open_set(data, PASSWORD) == BackupFailure(code=Code.BACKUP_DAMAGED, detail=ReadFault.TAMPERED)


def test_an_open_set_with_a_lock_in_its_head_is_none() -> None:
    lock = codec.unstructure(new_key(PASSWORD, QUICK).lock)
    assert fault(forged(packed(), lambda manifest: manifest.update(lock=lock))) is ReadFault.TAMPERED
    assert fault(forged(packed(), lambda m: m.update(contents=None))) is ReadFault.TAMPERED


@pytest.mark.parametrize("name", ["../../etc/passwd", "/config/config.json", "config/../config/config.json", "x"])
def test_a_file_that_no_set_may_hold_makes_it_none(name: str) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["contents"]["files"][0]["name"] = name

    assert fault(forged(packed(), change)) is ReadFault.WRONG_SHAPE


@pytest.mark.parametrize("size", [-1, 0, 1 << 50])
def test_a_file_that_says_another_size_makes_it_none(size: int) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["contents"]["files"][0]["bytes"] = size

    assert fault(forged(packed(), change)) is ReadFault.WRONG_SHAPE


def test_a_file_twice_makes_it_none() -> None:
    def change(manifest: dict[str, Any]) -> None:
        files = manifest["contents"]["files"]
        files[1]["name"] = files[0]["name"]

    assert fault(forged(packed(), change)) is ReadFault.DUPLICATE_KEYS


def test_a_newer_format_is_named_and_not_guessed() -> None:
    data = packed().replace(HEAD, b"ems-admin-backup 12\n", 1)
    with pytest.raises(DamagedError) as damaged:
        read_set(data)
    assert (damaged.value.fault, damaged.value.detail) == (
        ReadFault.UNSUPPORTED_FORMAT,
        f"seen 12, highest known {BACKUP_FORMAT}",
    )


def test_no_two_sets_share_a_key_or_a_nonce() -> None:
    locks = [new_key(PASSWORD, QUICK).lock for _ in range(20)]
    assert len({lock.salt for lock in locks}) == len({lock.nonce for lock in locks}) == 20


def test_the_cost_that_is_asked_for_is_one_that_is_accepted() -> None:
    key = new_key(PASSWORD, COST)
    assert bounded(key.lock) == COST
    assert key_of(PASSWORD, key.lock).secret == key.secret


def test_a_set_opens_with_all_that_it_may_hold() -> None:
    opened = open_set(pack(FACTS, GATHERED, password=PASSWORD, cost=COST), PASSWORD)
    assert isinstance(opened, OpenedSet)
    assert opened.files == GATHERED.files
    head = read_set(packed(password=PASSWORD)).manifest
    assert attrs.asdict(head)["lock"]["derivation"] == "argon2id"
    assert isinstance(head, BackupManifest)
    assert isinstance(opened.backup.contents, BackupContents)
