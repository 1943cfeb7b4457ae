"""A Docker engine of its own on one plot, and three ways in which it ends: stopped, killed, cut from its power.

Engine, containerd, shims and containers live in one process namespace below a tiny init. To end that init is what a
power cut is: all of it is gone in one instant, and the mounts with it. What is on the disk stays.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from aiodocker import Docker
from attrs import define, field

from tests.e2e.deadline import until
from tests.lab.plot import Plot, begun, favour, remove_groups

SOCKET_GROUP: Final = 10998
"""Whose the socket is, as on a machine of somebody who knows the group `docker`."""
PING: Final = b"GET /_ping HTTP/1.0\r\n\r\n"
TAIL: Final = 2000


@define(kw_only=True)
class Dockerd:
    """The engine. Mutable: it runs or it does not."""

    plot: Plot
    data: Path = field()
    _started: subprocess.Popen[bytes] | None = None

    @data.default
    def _below_the_plot(self) -> Path:
        return self.plot.folder / "docker"

    @property
    def socket(self) -> Path:
        return self.plot.folder / "docker.sock"

    @property
    def url(self) -> str:
        """The value for `DOCKER_HOST`."""
        return f"unix://{self.socket}"

    @property
    def log(self) -> Path:
        return self.plot.folder / "dockerd.log"

    @property
    def runs(self) -> bool:
        return self._started is not None and self._started.poll() is None

    def client(self) -> Docker:
        """Give a client for the loop that runs; whoever asks for it closes it."""
        return Docker(url=self.url)

    def start(self) -> None:
        """Start the engine on the disk as it is, and wait until it answers."""
        assert not self.runs, "it runs already"
        execution = self.plot.folder / "exec"
        shutil.rmtree(execution, ignore_errors=True)  # like /run, it does not outlive its machine
        self.socket.unlink(missing_ok=True)
        command = (
            *("unshare", "--pid", "--fork", "--kill-child=KILL", "--mount", "--propagation", "slave", "--mount-proc"),
            *("docker-init", "-s", "--", "dockerd", "--log-level", "warn"),
            *("--data-root", self.data, "--exec-root", execution, "--pidfile", execution / "dockerd.pid"),
            *("--host", self.url, "--group", str(SOCKET_GROUP), "--cgroup-parent", f"/{self.plot.name}"),
        )
        execution.mkdir()
        favour(self.plot)
        with self.log.open("ab") as log:
            self._started = begun(self.plot.inside(*command), log)
        until(lambda: self.answers() or not self.runs, "the engine answers")
        assert self.runs, self.last_words()

    def stop(self) -> None:
        """Ask the engine to end (SIGTERM), as a service manager would: it stops its containers first."""
        self._end(self._engine(), signal.SIGTERM)

    def kill(self) -> None:
        """Cut the power: engine, shims and containers are gone at once, and what only the kernel knew is forgotten."""
        self._end(self._init(), signal.SIGKILL)
        self._forget_the_network()

    def kill_process(self, pid: int) -> None:
        """End a process of a container (SIGKILL) by the pid that the engine shows; the engine has not asked for it."""
        into = ("nsenter", "--target", str(self._init()), "--pid", "--", "kill", "-KILL", str(pid))
        subprocess.run(into, check=True, timeout=30)

    def ensure_running(self) -> None:
        """Start it where a test has left it ended."""
        if not self.runs:
            self.start()

    def answers(self) -> bool:
        """Say whether it answers now."""
        with socket.socket(socket.AF_UNIX) as asking, contextlib.suppress(OSError):
            asking.settimeout(5)
            asking.connect(str(self.socket))
            asking.sendall(PING)
            return b" 200 " in asking.recv(100)
        return False

    def last_words(self) -> str:
        """Give the end of its log."""
        return self.log.read_text(errors="replace")[-TAIL:]

    def _end(self, pid: int, how: signal.Signals) -> None:
        assert self._started is not None
        os.kill(pid, how)
        self._started.wait(timeout=60)
        self._started = None
        remove_groups(self.plot)

    def _init(self) -> int:
        assert self._started is not None, "it does not run"
        return _only_child(self._started.pid)

    def _engine(self) -> int:
        return _only_child(self._init())

    def _forget_the_network(self) -> None:
        for table in ("nat", "filter"):
            self.plot.run("iptables", "-t", table, "-F")
            self.plot.run("iptables", "-t", table, "-X")
        for line in self.plot.run("ip", "-brief", "link", "show", "type", "bridge").splitlines():
            self.plot.run("ip", "link", "delete", line.split()[0])


def _only_child(pid: int) -> int:
    """Give the first child of a process: after `unshare` the init, after the init the engine."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@contextlib.contextmanager
def a_dockerd(plot: Plot, data: Path | None = None) -> Iterator[Dockerd]:
    """Run an engine on a plot, and cut its power in the end."""
    engine = Dockerd(plot=plot, data=data) if data else Dockerd(plot=plot)
    engine.start()
    try:
        yield engine
    finally:
        if engine.runs:
            engine.kill()
