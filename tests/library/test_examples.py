"""The examples of docs/library.md do what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ems_admin.demo.packing import pack_demo_builds
from ems_admin.site import Options, Site
from tests.house.tracked import ROOT

BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.fixture
def examples() -> dict[str, Any]:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec("\n".join(BLOCK.findall(page)), names)  # the page of this very repository
    return names


async def test_a_site_is_looked_at_without_its_lock(tmp_path: Path, examples: dict[str, Any]) -> None:
    async with Site.open(Options.at(tmp_path, {})):
        assert await examples["who_owns"](tmp_path) == "none, idle"


async def test_the_recommended_build_is_fetched(
    tmp_path: Path, examples: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, builds = tmp_path / "ems", tmp_path / "builds"
    own = (await Site.looked_at(Options.at(root, {}))).house.own
    assert own is not None
    catalogue = await pack_demo_builds(builds, own)
    plain = Site.open
    monkeypatch.setattr(Site, "open", lambda root: plain(Options.at(root, {}, catalogue=str(catalogue))))
    assert await examples["fetch_recommended"](root) == "resources_verified"


def test_the_declarations_answer_by_themselves(examples: dict[str, Any]) -> None:
    assert examples["ways_out_of"]("resources_verified") == ["cancel"]
    assert examples["ways_out_of"]("completed") == []
