"""`ems-admin` as people run it: a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

URL_LINE = "EMS Admin: "


@define
class Admin:
    """A running `ems-admin serve` or `demo`."""

    process: subprocess.Popen[str]
    lines: list[str] = field(factory=list)

    @property
    def url(self) -> str:
        """Read on until the address is printed."""
        while True:
            line = self.read_line()
            if line.startswith(URL_LINE):
                return line.removeprefix(URL_LINE).strip()

    def read_line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            pytest.fail(f"it ended with {self.process.wait()}: {self.lines}")
        self.lines.append(line)
        return line

    def end(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Send a signal and wait for the end; give exit code and seconds."""
        begun = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(30)
        return code, time.monotonic() - begun


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "ems_admin", *map(str, words)]


def environment(home: Path) -> dict[str, str]:
    """Give an environment that names no site of this machine."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("EMS_ADMIN")}
    return {**plain, "HOME": str(home)}


@contextmanager
def running(home: Path, *words: str | Path, more: Mapping[str, str] | None = None) -> Iterator[Admin]:
    with subprocess.Popen(
        command(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(home) | dict(more or {}),
    ) as process:
        try:
            yield Admin(process)
        finally:
            if process.poll() is None:
                process.kill()


def run(home: Path, *words: str | Path, limit: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), capture_output=True, text=True, timeout=limit, env=environment(home), check=False
    )


@define
class Client:
    """A signed-in browser without an event loop."""

    url: str
    cookie: str = ""
    csrf: str = ""

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, **headers: str) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)  # a test's own server
        for name, value in {"Cookie": self.cookie, "X-CSRF-Token": self.csrf, **headers}.items():
            request.add_header(name.replace("_", "-"), value)
        with urllib.request.urlopen(request, timeout=30) as answer:
            if cookie := answer.headers.get("Set-Cookie"):
                self.cookie = cookie.split(";")[0]
            found: dict[str, Any] = json.load(answer)
            return found

    def sign_in(self) -> Client:
        known = self.ask("GET", "/api/admin/auth/status")["auth_configured"]
        body = {"password": "pw"} if known else {"password": "pw", "confirm_password": "pw"}
        self.csrf = self.ask("POST", f"/api/admin/auth/{'login' if known else 'setup'}", body)["csrf_token"]
        return self

    def ended(self, job: Mapping[str, Any], limit: float = 60) -> dict[str, Any]:
        deadline = time.monotonic() + limit
        while (found := self.ask("GET", f"/api/admin/jobs/{job['id']}"))["status"] == "running":
            assert time.monotonic() < deadline, found
            time.sleep(0.05)  # between two looks
        return found
