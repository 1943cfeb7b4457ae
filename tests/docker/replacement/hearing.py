"""What an engine tells of its updaters while it happens: it keeps the last few hundred events only, so one listens."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp
from attrs import define, field

from ems_admin.docker.labels import ATTEMPT
from ems_admin.docker.labels import OPERATION as OF_OPERATION
from tests.docker.replacement.launching import Engine
from tests.e2e.deadline import until

HEARD: Final = ("create", "start")


@define(eq=False)
class Heard:
    """Every create and start of an updater. Mutable: it goes on hearing, in a thread of its own."""

    engine: Engine
    image: str
    counted: Counter[tuple[str, str, str]] = field(factory=Counter, init=False)
    """By event, operation and attempt."""
    _begun: threading.Event = field(factory=threading.Event, init=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)

    def so_far(self) -> Counter[tuple[str, str, str]]:
        """Give all that has happened by now: events come in their order, so one more of its own is waited for."""
        last = self.engine.api.ask("POST", "containers/create", {"Image": self.image, "Labels": {OF_OPERATION: "last"}})
        until(lambda: self.counted[HEARD[0], "last", ""], "the last event is heard")
        self.engine.api.remove(last["Id"])
        del self.counted[HEARD[0], "last", ""]
        return self.counted

    async def listen(self) -> None:
        """Hear everything until it is cancelled."""
        self._loop = asyncio.get_running_loop()
        filters = json.dumps({"type": ["container"], "event": HEARD, "label": [OF_OPERATION]})
        connector = aiohttp.UnixConnector(str(self.engine.dockerd.socket))
        async with (
            aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=None)) as session,
            session.get("http://engine/v1.41/events", params={"filters": filters}) as answer,
        ):
            self._begun.set()
            async for line in answer.content:
                said = json.loads(line)
                labels = said["Actor"]["Attributes"]
                self.counted[said["Action"], labels[OF_OPERATION], labels.get(ATTEMPT, "")] += 1


@contextmanager
def hearing(engine: Engine, image: str) -> Iterator[Heard]:
    """Listen to an engine, from before the block begins."""
    heard = Heard(engine, image)
    runner = asyncio.new_event_loop()
    listening = runner.create_task(heard.listen())

    def run() -> None:
        runner.run_until_complete(asyncio.wait([listening]))
        runner.run_until_complete(runner.shutdown_asyncgens())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert heard._begun.wait(20), "the engine tells nothing"
        yield heard
    finally:
        runner.call_soon_threadsafe(listening.cancel)
        thread.join(20)
        runner.close()
