"""What the running EMS is told of a new config (site.md 9, W9): five keys of a file that is the EMS's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ems_admin.demo.ems.runtime_state import RuntimeState
from ems_admin.stores.host import HostClock
from ems_admin.stores.runtime_state import RuntimeFile
from ems_admin.workflows.ports.runtime import RuntimeSync

VALUES = {"system.dry_run": True, "system.max_total_power": 4000}


def names(root: Path) -> list[str]:
    return [path.name for path in root.iterdir()]


@pytest.fixture
def ems(tmp_path: Path) -> RuntimeState:
    return RuntimeState(tmp_path / "data")


@pytest.fixture
def file(tmp_path: Path) -> RuntimeFile:
    return RuntimeFile(install_root=tmp_path, clock=HostClock())


async def test_the_ems_reads_what_it_was_told_and_keeps_the_rest(ems: RuntimeState, file: RuntimeFile) -> None:
    ems.begin()
    ems.change({"system.max_total_power": 1000, "ui.theme": "dark"})
    assert await file.converge(VALUES) is RuntimeSync.SYNCED
    assert ems.overrides() == {**VALUES, "ui.theme": "dark"}
    ems.change({"system.dry_run": False})
    assert ems.overrides()["system.dry_run"] is False


async def test_an_ems_that_never_ran_is_told_nothing(file: RuntimeFile, tmp_path: Path) -> None:
    assert await file.converge(VALUES) is RuntimeSync.ABSENT
    assert names(tmp_path) == []


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"format_version": 2, "overrides": {}}', b'{"format_version": 1}'])
async def test_a_file_that_says_nothing_usable_stays_as_it_is(
    ems: RuntimeState, file: RuntimeFile, data: bytes
) -> None:
    ems.begin()
    ems.place.write_bytes(data)
    assert await file.converge(VALUES) is RuntimeSync.UNREADABLE
    assert ems.place.read_bytes() == data


async def test_while_the_ems_writes_nobody_else_does(
    ems: RuntimeState, file: RuntimeFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ems_admin.stores.runtime_state.WAIT", 0.1)
    ems.begin()
    before = ems.place.read_bytes()
    with ems.locked():
        assert await file.converge(VALUES) is RuntimeSync.FAILED
    assert ems.place.read_bytes() == before
    assert await file.converge(VALUES) is RuntimeSync.SYNCED


async def test_a_link_in_its_place_is_not_followed(ems: RuntimeState, file: RuntimeFile, tmp_path: Path) -> None:
    ems.begin()
    elsewhere = tmp_path / "elsewhere.json"
    ems.place.rename(elsewhere)
    ems.place.symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    assert await file.converge(VALUES) is RuntimeSync.FAILED
    assert elsewhere.read_bytes() == before
    assert json.loads(before)["overrides"] == {}
