"""The description of the routes is walked by a machine: nothing that fits it, and nothing that does not, breaks them.

Requests are made from `GET /api/openapi.json` as the served site gives it, the same ones in every run.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.http import served
from tests.http.browser import PASSWORD
from tests.http.served import Scene

WITHOUT_END = "/api/admin/events"
"""A stream of hints: it is asked in `test_events.py`."""
ROUNDS = 12
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
PATIENCE = 60.0
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture
async def site(tmp_path_factory: pytest.TempPathFactory, catalogue: Path) -> AsyncIterator[Scene]:
    async with served.scene(tmp_path_factory.mktemp("described") / "site", catalogue) as scene:
        await scene.person()
        yield scene


def signed_in(url: str) -> requests.Session:
    """Give a session like that of the console."""
    session = requests.Session()
    answer = session.post(f"{url}/api/admin/auth/login", json={"password": PASSWORD}, timeout=PATIENCE)
    session.headers["X-CSRF-Token"] = answer.json()["csrf_token"]
    return session


def operations(session: requests.Session, url: str) -> list[Any]:
    """Give the routes, those that sign in and out behind all others: guessing closes the door for a while."""
    schema = schemathesis.openapi.from_dict(session.get(f"{url}/api/openapi.json", timeout=PATIENCE).json())
    schema.config.update(base_url=url)
    found = [operation.ok() for operation in schema.get_all_operations() if isinstance(operation, Ok)]
    return sorted(
        (operation for operation in found if operation.path != WITHOUT_END),
        key=lambda operation: ("/auth/" in operation.path, operation.path.endswith("logout")),
    )


def attack(operation: Any, mode: GenerationMode, session: requests.Session) -> None:
    """Ask one route all sorts of things."""

    @settings(
        max_examples=ROUNDS,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def asked(case: Any) -> None:
        headers = {"X-CSRF-Token": session.headers["X-CSRF-Token"]}
        answer = case.call(session=session, headers=headers, timeout=PATIENCE)
        assert answer.status_code < requests.codes.server_error, f"{case.as_curl_command()} → {answer.text[:400]}"
        case.validate_response(answer, checks=CHECKS)

    with suppress(Unsatisfiable):  # a route that takes nothing cannot be asked wrongly
        asked()


@pytest.mark.parametrize("mode", MODES, ids=str)
async def test_no_request_is_answered_with_a_fault_or_outside_of_the_description(
    site: Scene, mode: GenerationMode
) -> None:
    def walk() -> int:
        session = signed_in(site.url)
        found = operations(session, site.url)
        for operation in found:
            attack(operation, mode, session)
        return len(found)

    assert await asyncio.to_thread(walk) > 30
