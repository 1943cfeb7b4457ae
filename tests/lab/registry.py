"""A registry on the loopback of one plot: real digests, moved tags, a password if wanted, and sometimes gone."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import define, field

from tests.e2e.deadline import until
from tests.lab.plot import Plot, begun

PORT: Final = 5000
ADDRESS: Final = f"127.0.0.1:{PORT}"
"""As the engine on the same plot names it; being loopback it needs no certificate."""
USER, PASSWORD = "house", "roof"
HTPASSWD: Final = f"{USER}:$2b$05$abcdefghijklmnopqrstuueMflXclxmEdp748eJVZO81TxSmEfrxC\n"
CONFIG: Final = """\
version: 0.1
log: {{level: warn}}
storage: {{filesystem: {{rootdirectory: {folder}/images}}, delete: {{enabled: true}}}}
http: {{addr: "{address}"}}
"""
LOGIN: Final = 'auth: {{htpasswd: {{realm: lab, path: "{folder}/htpasswd"}}}}\n'


@define(kw_only=True)
class Registry:
    """The registry. Mutable: it runs or it does not."""

    plot: Plot
    folder: Path = field()
    _started: subprocess.Popen[bytes] | None = None

    @folder.default
    def _in_the_plot(self) -> Path:
        return self.plot.folder / "registry"

    @property
    def runs(self) -> bool:
        return self._started is not None and self._started.poll() is None

    def start(self, *, login: bool = False) -> None:
        """Start it with the images it has; with `login` it wants USER and PASSWORD for everything."""
        assert not self.runs, "it runs already"
        self.folder.mkdir(exist_ok=True)
        (self.folder / "htpasswd").write_text(HTPASSWD)
        config = (CONFIG + (LOGIN if login else "")).format(folder=self.folder, address=ADDRESS)
        (self.folder / "config.yml").write_text(config)
        with (self.folder / "registry.log").open("ab") as log:
            command = self.plot.inside("docker-registry", "serve", self.folder / "config.yml")
            self._started = begun(command, log)
        until(lambda: self._listens() or not self.runs, "the registry listens")
        assert self.runs, (self.folder / "registry.log").read_text()

    def stop(self) -> None:
        """End it; whoever pulls finds nobody there."""
        if self._started is not None:
            self._started.kill()
            self._started.wait(timeout=20)
            self._started = None

    def ensure_running(self) -> None:
        """Have it as it is at the beginning of each test: running, open to all."""
        self.stop()
        self.start()

    def _listens(self) -> bool:
        return bool(self.plot.run("ss", "-Hltn", "sport", "=", f":{PORT}").strip())


@contextlib.contextmanager
def a_registry(plot: Plot, folder: Path | None = None) -> Iterator[Registry]:
    """Run a registry on a plot, and end it with the plot."""
    registry = Registry(plot=plot, folder=folder) if folder else Registry(plot=plot)
    registry.start()
    try:
        yield registry
    finally:
        registry.stop()
