"""A witness of all that the engine does, from its own event stream: who was created how often, and started by whom.

It outlives the engine: what was said before is kept, and a stream that has ended is taken up where it ended.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Any, Final
from urllib.parse import urlencode

from attrs import define, field, frozen

RETRY: Final = 0.1
FILTERS: Final = json.dumps({"type": ["container"], "event": ["create", "start", "die", "update", "destroy"]})
NANO: Final = 1_000_000_000


@frozen(kw_only=True)
class Event:
    """Something that happened to a container."""

    at: float
    """Seconds, by the clock of this machine."""
    action: str
    id: str
    name: str


class _Engine(http.client.HTTPConnection):
    def __init__(self, place: Path) -> None:
        super().__init__("engine", timeout=5)
        self._place = place

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self._place))


@define
class Witness:
    """Mutable: it listens, and knows more and more."""

    socket: Path
    began: float
    """What happened before this is not asked for."""
    _seen: dict[tuple[int, str, str], Event] = field(factory=dict, init=False)
    _over: Flag = field(factory=Flag, init=False)

    @property
    def events(self) -> tuple[Event, ...]:
        """Give all that is known, in its order."""
        return tuple(sorted(self._seen.values(), key=lambda event: event.at))

    def _listen(self) -> None:
        while not self._over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                self._follow()
            self._over.wait(RETRY)

    def _follow(self) -> None:
        since = max((event.at for event in self._seen.values()), default=self.began)
        asking = _Engine(self.socket)
        with contextlib.closing(asking):
            asking.request("GET", f"/v1.41/events?{urlencode({'since': f'{since:.9f}', 'filters': FILTERS})}")
            answer = asking.getresponse()
            asking.sock.settimeout(None)
            while line := answer.readline():
                said = json.loads(line)
                key = (said["timeNano"], said["Action"], said["Actor"]["ID"])
                self._seen[key] = _event(said)


def _event(said: dict[str, Any]) -> Event:
    actor = said["Actor"]
    return Event(
        at=said["timeNano"] / NANO, action=said["Action"], id=actor["ID"], name=actor["Attributes"].get("name", "")
    )


@contextlib.contextmanager
def a_witness(engine: Path, began: float) -> Iterator[Witness]:
    """Let a witness listen."""
    witness = Witness(engine, began)
    thread = Thread(target=witness._listen, daemon=True)  # its own
    thread.start()
    try:
        yield witness
    finally:
        witness._over.set()
