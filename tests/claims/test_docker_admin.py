"""Whose container is the own one, and when a new Admin counts as well (`faults.md` F26, F29; `replacement.md` 7.4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ems_admin.docker.containers import Container, read
from ems_admin.docker.own_container import is_own
from ems_admin.engines.admin_health import ExpectedAdmin, fault_of

ID = "d17b70248f96e6992c9ba176721e388778b3140bdedaf8b9bf95a15ada0ffcf2"
EXPECTED = ExpectedAdmin(build_id="1.2.0-c", revision="c" * 40, started_for=f"{'0' * 32}-1")
WELL: dict[str, Any] = {
    "build_id": "1.2.0-c",
    "revision": "c" * 40,
    "started_for": f"{'0' * 32}-1",
    "checks": {"assets": "ok", "read_model": "ok", "events": "ok", "records": "ok"},
}


def container() -> Container:
    return read({"Id": ID, "Name": "/ems-admin"})


@pytest.mark.parametrize("own", [ID, ID[:12], ID[:40], "ems-admin"])
def test_the_own_container_is_known_by_whatever_it_was_named_by(own: str) -> None:
    """F29; `site.md` 8: `EMS_ADMIN_CONTAINER` is what somebody wrote."""
    assert is_own(container(), own)


@pytest.mark.parametrize("own", [None, "", ID[:11], "ems", "ems-admin-2", "0" * 64])
def test_nobody_else_is_taken_for_it(own: str | None) -> None:
    """F29."""
    assert not is_own(container(), own)


def test_an_admin_that_is_whole_and_the_one_that_is_meant_has_no_fault() -> None:
    """F26."""
    assert fault_of(json.dumps(WELL).encode(), EXPECTED) is None


@pytest.mark.parametrize("check", WELL["checks"])
def test_each_check_has_to_be_ok(check: str) -> None:
    """F26; `replacement.md` 7.4 (U9): the part that people need counts as much as the others."""
    checks = {**WELL["checks"], check: "failed"}
    assert fault_of(json.dumps({**WELL, "checks": checks}).encode(), EXPECTED) == check


@pytest.mark.parametrize(("word", "other"), [("build_id", "9"), ("revision", None), ("started_for", f"{'0' * 32}-2")])
def test_another_build_or_attempt_is_not_the_one_that_is_meant(word: str, other: str | None) -> None:
    """F26; `replacement.md` 7.4 (U9)."""
    assert fault_of(json.dumps({**WELL, word: other}).encode(), EXPECTED) == word


@pytest.mark.parametrize("said", [{}, {**WELL, "checks": {}}, {**WELL, "checks": "ok"}, [], "ok"])
def test_what_proves_nothing_is_not_well(said: Any) -> None:
    """F26: an answer alone is no health."""
    assert fault_of(json.dumps(said).encode(), EXPECTED) == "health"
