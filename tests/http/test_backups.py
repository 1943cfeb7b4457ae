"""Backups, as a browser meets them (http.md 5.3, 5.6; site.md 9; seed 000 2; F46)."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from tests.http.browser import Browser
from tests.http.served import Scene

BACKUPS = "/api/admin/maintenance/backups"
PASSWORD = "Küche 🔋"
CONFIG = '{"devices": [{"name": "Küche 🔋"}], "system": {"api_key": "s3cret-1"}}\n'.encode()
CREDENTIALS = b'{"format_version": 1, "credentials": {"home": {"username": "u", "password": "s3cret-2"}}}\n'


@pytest.fixture
def config(site: Scene) -> Path:
    folder = site.root / "config"
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_bytes(CONFIG)
    (folder / "credentials.json").write_bytes(CREDENTIALS)
    return folder / "config.json"


def write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def read(path: Path) -> bytes:
    return path.read_bytes()


async def made(browser: Browser, **asked: Any) -> dict[str, Any]:
    answer = await browser.post(f"{BACKUPS}/create", {"confirm": True, **asked})
    assert answer.status == 202, answer.data
    job = await browser.ended(answer)
    assert job["status"] == "succeeded", job
    backup: dict[str, Any] = job["result"]["backup"]
    return backup


async def test_a_locked_backup_is_made_opened_carried_away_brought_back_and_restored(
    site: Scene, browser: Browser, config: Path
) -> None:
    backup = await made(browser, label="Küche 🔋", password=PASSWORD)
    assert (backup["locked"], backup["left_out"], backup["label"]) == (True, [], "Küche 🔋")
    backup_id = backup["id"]
    held = site.state()
    listed = (await browser.get(BACKUPS)).json
    assert [(one["id"], one["files"], one["damage"]) for one in listed["backups"]] == [(backup_id, None, None)]
    asked = {"id": backup_id, "password": PASSWORD}
    opened = await browser.post(f"{BACKUPS}/inspect", asked)
    assert [file["name"] for file in opened.json["files"]] == ["config/config.json", "config/credentials.json"]
    assert (await browser.post(f"{BACKUPS}/inspect", {"id": backup_id})).error == (409, "backup_password_required")
    assert (await browser.post(f"{BACKUPS}/inspect", {"id": "nobody"})).error == (404, "not_found")

    write(config, b'{"devices": []}')
    compared = await browser.post(f"{BACKUPS}/diff", asked)
    assert compared.json["diff"]["added"][0]["pointer"].startswith("/devices")
    secrets = await browser.post(f"{BACKUPS}/diff", {**asked, "file": "config/credentials.json"})
    preview = await browser.post(f"{BACKUPS}/restore/preview", {**asked, "conflict_policy": "take_backup"})
    assert (preview.json["changed"], preview.json["validation"]) == (True, {"ready": True, "errors": []})

    file = await browser.get(f"{BACKUPS}/{backup_id}/download")
    assert file.headers["Content-Disposition"].endswith(f'"{backup_id}.emsbackup"')
    for answer in (opened, compared, secrets, preview, file):
        assert b"s3cret" not in answer.data
    assert {**held, "config/config.json": None} == {**site.state(), "config/config.json": None}

    assert (await browser.post(f"{BACKUPS}/delete", {"id": backup_id, "confirm": True})).json["id"] == backup_id
    gone = await browser.post(f"{BACKUPS}/restore/execute", {"plan_id": preview.json["plan_id"], "confirm": True})
    assert gone.error == (409, "plan_unknown")
    carried = {"data": base64.b64encode(file.data).decode(), "confirm": True}
    assert (await browser.post(f"{BACKUPS}/upload", carried)).json["id"] == backup_id

    answer = await browser.post(f"{BACKUPS}/restore/execute", {"plan_id": preview.json["plan_id"], "confirm": True})
    job = await browser.ended(answer)
    assert job["result"]["changed"] is True, job
    assert read(config) == CONFIG
    journal = read(site.root / "admin/state/journal.jsonl")
    assert b"s3cret" not in journal
    assert PASSWORD.encode() not in journal


async def test_a_restore_over_a_newer_config_is_refused_with_all_three_sides(
    site: Scene, browser: Browser, config: Path
) -> None:
    """W7, F46: every byte as it was."""
    backup = await made(browser)
    write(config, b'{"devices": [], "n": 1}')
    asked = {"id": backup["id"], "conflict_policy": "take_backup"}
    plan_id = (await browser.post(f"{BACKUPS}/restore/preview", asked)).json["plan_id"]
    write(config, b'{"devices": [], "n": 2}')
    held = site.state()
    refused = await browser.post(f"{BACKUPS}/restore/execute", {"plan_id": plan_id, "confirm": True})
    assert refused.error == (409, "conflict")
    assert refused.json["revision"] == (await browser.get("/api/admin/maintenance/config")).json["revision"]
    assert {"pointer": "/n", "value": 2} in refused.json["diff"]["removed"]
    assert "/n" in {field["pointer"] for field in refused.json["three_ways"]["fields"]}
    assert site.state() == held


async def test_an_open_backup_stays_on_the_machine(browser: Browser, config: Path) -> None:
    backup = await made(browser, scope="full")
    refused = await browser.get(f"{BACKUPS}/{backup['id']}/download")
    assert (refused.error, refused.json["detail"]) == ((409, "backup_password_required"), "not_locked")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ("", (409, "backup_damaged")),
        ("!", (400, "unsupported_value")),
        (base64.b64encode(b"PK\3\4" + b"\0" * 4000).decode(), (409, "backup_damaged")),
        (base64.b64encode(b"\x1f\x8b" + b"\0" * 4000).decode(), (409, "backup_damaged")),
    ],
)
async def test_what_is_no_backup_is_not_taken_in(
    site: Scene, browser: Browser, data: str, error: tuple[int, str]
) -> None:
    held = site.state()
    assert (await browser.post(f"{BACKUPS}/upload", {"data": data, "confirm": True})).error == error
    assert site.state() == held


async def test_passwords_are_not_guessed(browser: Browser, config: Path) -> None:
    backup = await made(browser, password=PASSWORD)
    for _ in range(10):
        answer = await browser.post(f"{BACKUPS}/inspect", {"id": backup["id"], "password": "x"})
        assert answer.error == (409, "backup_password_invalid")
    refused = await browser.post(f"{BACKUPS}/restore/preview", {"id": backup["id"], "conflict_policy": "keep_live"})
    assert refused.error == (429, "rate_limited")
