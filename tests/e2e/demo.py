"""A demo of its own: the real command on a free port and in a folder of its own, every process ended by its pid."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from ems_admin.native.place import Place
from tests.e2e.deadline import until
from tests.native.host import marked

SAID = "EMS Admin: "
"""What stands before the address once the server accepts."""


class Demo:
    """`ems-admin demo` at one root. It is started, killed and started again; the root stays."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.url = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0

    @property
    def site(self) -> Path:
        return self.root / "site"

    @property
    def state(self) -> Path:
        """Where the records lie."""
        return self.site / "admin" / "state"

    @property
    def log(self) -> str:
        """Everything that the present process has said."""
        return self._said.read_text()

    def start(self) -> None:
        """Start it, at the same address as before, and wait until it tells that address."""
        self._starts += 1
        port = urlsplit(self.url).port or 0
        command = [sys.executable, "-m", "ems_admin", "demo", "--root", str(self.root), "--port", str(port)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("EMS_ADMIN_")}
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(command, stdout=said, stderr=said, env=environment)
        until(lambda: SAID in self.log or not self.lives, "the demo tells its address")
        assert self.lives, self.log
        self.url = self.log.partition(SAID)[2].split()[0]

    @property
    def lives(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Ask it to end, as Ctrl-C or a shutdown would."""
        assert self._process is not None
        self._process.terminate()
        assert self._process.wait(timeout=40) == 0, self.log

    def restart(self) -> None:
        self.kill()
        self.start()

    def ems_pids(self) -> list[int]:
        """Give every living process that carries the mark of this site."""
        site = Place(install_root=self.site, admin_data=self.site, releases=self.site).site
        return [pid for _, pid in marked(site)]

    def end(self) -> None:
        """Leave nothing running, however the test went."""
        if self.lives:
            self.kill()
        for pid in self.ems_pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(lambda: not self.ems_pids(), "no process of this site is left")

    @property
    def _said(self) -> Path:
        return self.root.with_name(f"{self.root.name}-{self._starts}.log")


@contextmanager
def demo_at(root: Path) -> Iterator[Demo]:
    """Run a demo for a block, and leave nothing of it running."""
    demo = Demo(root)
    try:
        demo.start()
        yield demo
    finally:
        demo.end()
