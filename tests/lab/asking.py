"""The engine's API as it stands on the wire, without a library between: what the lab does and sees is its own witness.

Blocking, for fixtures and for tests with a browser; tests of the adapter have `Dockerd.client()`.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from attrs import frozen

VERSION: Final = "v1.41"
SECONDS: Final = 300.0


class EngineError(AssertionError):
    """The engine has refused, with its status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status


class _OverSocket(http.client.HTTPConnection):
    def __init__(self, place: Path) -> None:
        super().__init__("engine", timeout=SECONDS)
        self._place = place

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(SECONDS)
        self.sock.connect(str(self._place))


@frozen
class Api:
    """The API behind one socket."""

    socket: Path

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Send one request with a JSON body, and give the JSON of the answer, or its bytes. Raises `EngineError`."""
        data = None if body is None else json.dumps(body).encode()
        answer = self._answer(method, path, data, query, "application/json")
        is_json = answer.getheader("Content-Type", "").startswith("application/json")
        read = answer.read()
        return json.loads(read) if is_json and read else read

    def stream(self, path: str, data: bytes | Path | None = None, **query: Any) -> list[dict[str, Any]]:
        """Post a tar, and give the messages that come back; an error among them is an error."""
        with contextlib.ExitStack() as held:
            body: Any = held.enter_context(data.open("rb")) if isinstance(data, Path) else data
            answer = self._answer("POST", path, body, query, "application/x-tar")
            messages = [json.loads(line) for line in answer.read().splitlines() if line.strip()]
        for message in messages:
            if "errorDetail" in message:
                told = "".join(said.get("stream", "") for said in messages)
                raise EngineError(answer.status, f"{told}{message['errorDetail']}")
        return messages

    def containers(self, **filters: str) -> list[dict[str, Any]]:
        """List all containers, the stopped ones too; a filter is `label="…"` or `name="…"`."""
        found: list[dict[str, Any]] = self.ask("GET", "containers/json", all="1", filters=_filters(filters))
        return found

    def container(self, named: str) -> dict[str, Any] | None:
        """Inspect a container by name or id; `None` when there is none."""
        return self._there(f"containers/{named}/json")

    def image(self, named: str) -> dict[str, Any] | None:
        """Inspect an image by name, digest or id; `None` when there is none."""
        return self._there(f"images/{quote(named, safe='/:@')}/json")

    def log(self, named: str) -> str:
        """Give all that a container has printed."""
        return "".join(_unframed(self.ask("GET", f"containers/{named}/logs", stdout="1", stderr="1")))

    def run(self, name: str, create: Mapping[str, Any]) -> str:
        """Create and start a container, and give its id."""
        made: str = self.ask("POST", "containers/create", dict(create), name=name)["Id"]
        self.ask("POST", f"containers/{made}/start")
        return made

    def remove(self, named: str) -> None:
        """Remove a container, running or not; an absent one is as good."""
        if self.container(named) is not None:
            self.ask("DELETE", f"containers/{named}", force="1", v="1")

    def _there(self, path: str) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = self.ask("GET", path)
        except EngineError as error:
            if error.status == http.client.NOT_FOUND:
                return None
            raise
        return found

    def _answer(
        self, method: str, path: str, data: Any, query: Mapping[str, Any], kind: str
    ) -> http.client.HTTPResponse:
        connection = _OverSocket(self.socket)
        headers = {"Connection": "close"}  # the socket goes with the end of the answer
        if method == "POST":
            headers |= {"Content-Type": kind, "X-Registry-Auth": "e30="}
        try:
            connection.request(method, f"/{VERSION}/{path}?{urlencode(query)}", body=data, headers=headers)
            answer = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        if answer.status >= http.client.BAD_REQUEST:
            raise EngineError(answer.status, answer.read().decode(errors="replace").strip())
        return answer


def _filters(filters: Mapping[str, str]) -> str:
    return json.dumps({name: [value] for name, value in filters.items()})


def _unframed(log: bytes) -> Iterator[str]:
    """Take the eight bytes away that stand before each piece: which stream, and how long."""
    while log:
        length = int.from_bytes(log[4:8], "big")
        yield log[8 : 8 + length].decode(errors="replace")
        log = log[8 + length :]
