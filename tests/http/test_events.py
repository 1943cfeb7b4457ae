"""Hints are decoration: they come soon after a change, and nothing waits for them (F49)."""

import asyncio
import json

import aiohttp

from tests.http.browser import Setup
from tests.http.served import Scene


async def hint(stream: aiohttp.ClientResponse, topic: str) -> dict[str, object]:
    """Read on until a hint of this topic comes."""
    async with asyncio.timeout(10):
        async for line in stream.content:
            if line.startswith(b"data:"):
                told: dict[str, object] = json.loads(line.removeprefix(b"data:"))
                if told["topic"] == topic:
                    return told
    raise AssertionError("the stream ended")


async def test_a_change_is_hinted_at_with_topic_and_revision(site: Scene, setup: Setup) -> None:
    async with setup.browser.http.get(f"{site.url}/api/admin/events") as stream:
        assert stream.status == 200
        await setup.begin()
        first = await hint(stream, "guided_setup")
        assert set(first) == {"topic", "revision"}
        await setup.browser.post("/api/setup/abandon", {"setup_workflow_id": setup.workflow_id})
        second = await hint(stream, "guided_setup")
        assert int(str(second["revision"])) > int(str(first["revision"]))


async def test_a_stream_that_is_cut_changes_nothing(site: Scene, setup: Setup) -> None:
    stream = await setup.browser.http.get(f"{site.url}/api/admin/events")
    await setup.begin()
    job = await setup.ask_for_build()
    stream.close()
    assert (await setup.browser.ended(job))["status"] == "succeeded"


async def test_nobody_listens_without_a_session(site: Scene) -> None:
    assert (await site.browser().get("/api/admin/events")).error == (401, "not_authenticated")
