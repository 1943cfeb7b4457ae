"""The file says what runs, in words that compose takes as well (`site.md` 8)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ems_admin.docker.compose_file import images_by_name, render, write
from tests.docker.samples import DIGEST, defined


def said(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(render((defined(**changes),)))
    return found


def test_a_service_is_written_as_it_runs() -> None:
    ems = said(publish=0)["services"]["ems"]
    assert ems["image"] == f"r.example:5000/ems@{DIGEST}"
    assert ems["container_name"] == "ems"
    assert ems["ports"] == ["8099:8099"]
    assert [volume["read_only"] for volume in ems["volumes"]] == [True, False]
    assert ems["restart"] == "unless-stopped"
    assert said()["networks"] == {"house": {"name": "house", "external": True}}


def test_compose_fills_nothing_in() -> None:
    ems = said(environment={"A": "$HOME ${X}"}, command=("$1",))["services"]["ems"]
    assert ems["environment"]["A"] == "$$HOME $${X}"
    assert ems["command"] == ["$$1"]


def test_a_file_that_says_it_already_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "docker-compose.yml"
    write(file, (defined(),))
    before = file.stat()
    write(file, (defined(),))
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    write(file, (defined(published=1),))
    assert file.stat().st_ino != before.st_ino
    assert [one.name for one in tmp_path.iterdir()] == ["docker-compose.yml"]


def test_names_and_images_are_read_again(tmp_path: Path) -> None:
    file = tmp_path / "docker-compose.yml"
    write(file, (defined(),))
    assert images_by_name(file) == {"ems": f"r.example:5000/ems@{DIGEST}"}


@pytest.mark.parametrize(
    "text", ["", "[", "services: 1", "services: {a: 1, b: {image: 2}}", "- !!python/name:os.x", "\0"]
)
def test_a_file_of_somebody_else_names_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "docker-compose.yml"
    file.write_text(text)
    assert images_by_name(file) == {}
