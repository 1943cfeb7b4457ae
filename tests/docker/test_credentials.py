"""Logins come from where `docker login` has left them; whatever cannot be read is no login."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from ems_admin.docker.credentials import Credentials

AUTH = base64.b64encode(b"house:ro:of").decode()


def logins(folder: Path, auths: Any) -> Credentials:
    (folder / "config.json").write_text(json.dumps({"auths": auths}))
    return Credentials.of({"DOCKER_CONFIG": str(folder)})


def test_the_login_of_the_registry_is_found(tmp_path: Path) -> None:
    found = logins(tmp_path, {"127.0.0.1:5000": {"auth": AUTH}, "other.example": {"auth": "bm86bm8="}})
    assert found.login("127.0.0.1:5000/ems@sha256:00") == {
        "username": "house",
        "password": "ro:of",
        "serveraddress": "127.0.0.1:5000",
    }
    assert found.login("third.example/ems@sha256:00") is None


def test_an_image_without_a_registry_is_of_the_default_one(tmp_path: Path) -> None:
    found = logins(tmp_path, {"https://index.docker.io/v1/": {"username": "a", "password": "b"}})
    login = found.login("library/influxdb@sha256:00")
    assert login is not None
    assert login["username"] == "a"


def test_a_token_is_passed_on_as_it_is(tmp_path: Path) -> None:
    login = logins(tmp_path, {"r.example": {"identitytoken": "t", "auth": AUTH}}).login("r.example/x@sha256:00")
    assert login == {"identitytoken": "t", "serveraddress": "r.example"}


@pytest.mark.parametrize("auths", [{"r.example": {"auth": "%%%"}}, {"r.example": {}}, {"r.example": 1}, [], None])
def test_a_login_that_makes_no_sense_is_none(tmp_path: Path, auths: Any) -> None:
    assert logins(tmp_path, auths).login("r.example/x@sha256:00") is None


def test_a_file_that_is_missing_or_broken_holds_none(tmp_path: Path) -> None:
    found = Credentials(tmp_path / "config.json")
    assert found.login("r.example/x@sha256:00") is None
    (tmp_path / "config.json").write_text("{")
    assert found.login("r.example/x@sha256:00") is None
    assert Credentials.of({}).login("r.example/x@sha256:00") is None
