"""W9: the EMS that runs is told five values, and the config is never written by it (site.md 9)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ems_admin.demo.ems.runtime_state import RuntimeState
from ems_admin.stores.host import HostClock
from ems_admin.stores.runtime_state import RuntimeFile
from ems_admin.workflows.maintenance.convergence import converge, runtime_values
from tests.memory.files import RUNTIME
from tests.workflows.maintenance.edits import edited, installed, live, saving
from tests.workflows.scene import CONFIG, CREDENTIALS


def test_telling_the_running_ems_changes_its_own_file_alone() -> None:
    scene = installed()
    scene.site.world.files[RUNTIME] = b'{"ui.theme": "dark"}'
    before = scene.files
    scene.durable.clear()
    scene.do(converge(scene.house, {**live(scene), "system": {"deadband": 7}}))
    assert scene.durable == [RUNTIME]
    assert {**scene.files, RUNTIME: b""} == {**before, RUNTIME: b""}
    assert json.loads(scene.files[RUNTIME])["system.deadband"] == 7


def test_an_edit_writes_the_config_once_and_the_file_of_the_ems_after_it() -> None:
    scene = installed()
    scene.site.world.files[RUNTIME] = b"{}"
    draft = edited(scene)
    scene.durable.clear()
    scene.do(saving(scene, draft))
    assert scene.durable.count(CONFIG) == 1
    assert scene.durable[-1] == RUNTIME
    assert CREDENTIALS not in scene.durable


async def test_on_a_disk_the_config_is_not_even_touched(tmp_path: Path) -> None:
    root = tmp_path
    ems = RuntimeState(root / "data")
    ems.begin()
    config = root / "config" / "config.json"
    config.parent.mkdir()
    config.write_bytes(b"{}")
    before = config.stat()
    await RuntimeFile(install_root=root, clock=HostClock()).converge({"system.deadband": 7})
    after = config.stat()
    assert (after.st_mtime_ns, after.st_ino, config.read_bytes()) == (before.st_mtime_ns, before.st_ino, b"{}")
    assert [path.name for path in config.parent.iterdir()] == ["config.json"]
    assert ems.overrides() == {"system.deadband": 7}


@pytest.mark.parametrize("config", [{}, {"system": 5, "features": None}, {"system": {"own": 1}}])
def test_a_config_that_lacks_them_says_nothing(config: dict[str, Any]) -> None:
    assert runtime_values(config) == {}
