"""An engine that takes every question and answers none: each page is there within ten seconds, and shows it as unknown.

Source: `faults.md` F19, D1.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve

from ems_admin.http.listening import Listen
from ems_admin.http.serving import Serving, served
from ems_admin.machines.records.installed import EngineKind
from ems_admin.machines.records.transition import Stage
from ems_admin.site import Options, Site
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import Committed
from tests.http.browser import Answer, Browser
from tests.stores.records import TRANSITION

LONGEST = 10.0
"""Seconds (`faults.md` F19)."""
PAGES = (
    "/api/admin/console",
    "/api/admin/system-alignment/status",
    "/api/admin/workflow-lifecycle",
    "/api/admin/maintenance/overview",
    "/api/admin/maintenance/containers",
    "/api/setup/deployment/status",
    "/api/setup/deployment/plan",
    "/api/admin/health",
)


@pytest.fixture
async def mute(tmp_path: Path) -> AsyncIterator[str]:
    async def hears(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talking.append(writer)

    talking: list[asyncio.StreamWriter] = []
    server = await asyncio.start_unix_server(hears, tmp_path / "mute.sock")
    yield f"unix://{tmp_path / 'mute.sock'}"
    for writer in talking:
        writer.close()
    server.close()


async def handed_over(house: House) -> None:
    """Have an operation whose updater is asked for as well."""
    now = datetime.now(UTC).replace(microsecond=0)
    ends = now + timedelta(hours=1)
    record = evolve(TRANSITION, stage=Stage.ADMIN_RECONNECT_PENDING, created_at=now, updated_at=now, expires_at=ends)
    async with house.records.transition.store.hold() as held:
        assert await held.commit(record) == Committed()


async def test_every_page_is_there_in_time_and_says_that_nobody_knows(tmp_path: Path, mute: str) -> None:
    options = Options.at(tmp_path / "ems", {"DOCKER_HOST": mute}, engine=EngineKind.DOCKER)
    async with Site.open(options) as site:
        await handed_over(site.house)
        async with served(site.house, site.hints, Serving(listen=Listen("127.0.0.1", 0))) as server:
            browser = await Browser(server.url).sign_in()
            took, told = dict[str, float](), dict[str, Answer]()

            async def look(page: str) -> None:
                began = time.monotonic()
                told[page] = await browser.get(page)
                took[page] = time.monotonic() - began

            await asyncio.gather(*map(look, PAGES))
            await browser.close()
    assert {answer.status for answer in told.values()} == {200}
    model = told["/api/admin/console"].json
    assert {page: seconds for page, seconds in took.items() if seconds > LONGEST} == {}
    engine = {"kind": "docker", "state": "unknown", "code": "docker_daemon_unreachable", "detail": None}
    assert model["engine"] == model["deployment"]["engine"] == engine
    assert model["deployment"]["conflict"] is None
    assert model["alignment"]["transition"]["replacement_active"] is None
