"""The demo EMS as what it is: a program of its own, started with an interpreter and asked over HTTP."""

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ems_admin.demo.archives import EMS_SOURCES

DEADLINE = 20.0


def config(**changes: Any) -> dict[str, Any]:
    """A config that runs: the template with a battery, an inverter and a meter."""
    document: dict[str, Any] = json.loads((EMS_SOURCES / "config.template.json").read_bytes())
    battery = {"name": "battery", "type": "local_api", "ip": "192.0.2.10", "max_power": 3000, "battery_kwh": 7.7}
    document["devices"] = [
        battery | {"min_soc": 10, "max_soc": 95, "serial_number": "B-1"},
        {"name": "roof", "type": "local_api", "ip": "192.0.2.20", "max_power": 5000},
    ]
    document["grid_meter"] = {"type": "local_api", "ip": "192.0.2.30"}
    document["system"]["loop_interval_seconds"] = 1
    return document | changes


class Home:
    """The two folders of an EMS."""

    def __init__(self, root: Path, document: object) -> None:
        self.config, self.data = root / "config", root / "data"
        self.config.mkdir(parents=True)
        self.data.mkdir()
        self.write(document)

    def write(self, document: object) -> None:
        """Write the config, as JSON or as bytes."""
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        (self.config / "config.json").write_bytes(data)

    def command(self, port: int) -> list[str]:
        """Give the command line."""
        places = ["--config", str(self.config), "--data", str(self.data), "--port", str(port)]
        return [sys.executable, "-B", "-m", "ems", *places]


class Running:
    """A started EMS."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.url = process, f"http://127.0.0.1:{port}"

    def ask(self, path: str, body: object = None, **headers: str) -> tuple[int, dict[str, Any]]:
        """Ask once; what is no JSON comes back as {"text": …}."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path, data=data, headers={"Content-Type": "application/json", **headers}
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return answer.status, read(answer.read())
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, read(refused.read())

    def until_it_answers(self) -> tuple[int, dict[str, Any]]:
        """Ask for its health until it says something."""
        give_up = time.monotonic() + DEADLINE
        while self.process.poll() is None and time.monotonic() < give_up:
            with suppress(urllib.error.URLError, ConnectionError):
                return self.ask("/health")
            time.sleep(0.05)
        raise AssertionError(f"it does not answer; exit code {self.process.poll()}")


def read(data: bytes) -> dict[str, Any]:
    """Read an answer."""
    try:
        found = json.loads(data)
    except ValueError:
        return {"text": data.decode()}
    return found if isinstance(found, dict) else {"value": found}


def free_port() -> int:
    """Give a port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(home: Home, program: Path = EMS_SOURCES.parent) -> Iterator[Running]:
    """Start the EMS that lies in `program`, and end it."""
    port = free_port()
    process = subprocess.Popen(
        home.command(port), cwd=program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield Running(process, port)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=DEADLINE)
        finally:
            process.kill()
