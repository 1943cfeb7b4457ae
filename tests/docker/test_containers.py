"""One broken container among many spoils nothing but its own row (`faults.md` D1; `site.md` 8)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Final

from ems_admin.docker.containers import Doing, labelled, read
from tests.docker.test_daemon import answering, says

SOUND: Final = {"Id": "1" * 64, "Name": "/ems", "State": {"Status": "running"}, "Config": {"Labels": {"a": "b"}}}
ROWS: Final = [
    {"Id": "1" * 64, "Names": ["/ems"]},
    {"Names": ["/nobody"]},
    "nonsense",
    {"Id": "2" * 64, "Names": ["/broken"], "Labels": {"a": "b"}},
    {"Id": "3" * 64, "Names": ["/gone"]},
]


async def test_a_list_shows_what_can_be_read_of_each(tmp_path: Path) -> None:
    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            while True:
                asked = (await reader.readuntil(b"\r\n\r\n")).decode().split()[1]
                if asked == "/version":
                    await says(writer, "200 OK", {"ApiVersion": "1.41"})
                elif "/containers/json" in asked:
                    await says(writer, "200 OK", ROWS)
                elif "1" * 64 in asked:
                    await says(writer, "200 OK", SOUND)
                elif "2" * 64 in asked:
                    await says(writer, "500 Internal Server Error", {"message": "no such image"})
                else:
                    await says(writer, "404 Not Found", {"message": "no such container"})

    async with answering(tmp_path / "docker.sock", tell) as daemon, daemon.asked() as docker:
        found = await labelled(docker, "a=b")
    assert [(one.name, one.doing, dict(one.labels)) for one in found] == [
        ("ems", Doing.RUNNING, {"a": "b"}),
        ("broken", Doing.UNKNOWN, {"a": "b"}),
    ]


def test_words_without_sense_say_nothing_and_raise_nothing() -> None:
    for said in (
        {},
        {"State": "running", "Config": [], "RestartCount": "many"},
        {"State": {"Status": 5}},
    ):
        found = read(said)
        assert (found.doing, found.restarts, found.started_at, dict(found.labels)) == (Doing.UNKNOWN, 0, None, {})
