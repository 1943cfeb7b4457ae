"""The project as it is installed somewhere, the builds that were packed from it, and sites that it serves."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import frozen

from ems_admin.builds.identity import PACKAGE, own_identity
from ems_admin.demo import packing
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.native.place import Place
from tests.builds.test_identity import copied
from tests.cli.process import Admin, environment
from tests.native.host import kill_marked


@frozen
class Installed:
    """A copy of the project, which nobody edits while it runs."""

    root: Path
    own: OwnIdentity

    @property
    def catalogue(self) -> Path:
        return self.root / "builds"

    def place(self, site: Path) -> Place:
        admin = site / "admin"
        return Place(install_root=site, admin_data=admin, releases=admin / "releases")

    @contextmanager
    def serving(self, site: Path, port: int) -> Iterator[Admin]:
        """Serve a site."""
        listen = ("--listen", f"127.0.0.1:{port}", "--catalogue", str(self.catalogue))
        with self.running(self.root, site, "serve", "--install-root", str(site), *listen) as admin:
            yield admin

    @contextmanager
    def running(self, program: Path, site: Path, *words: str) -> Iterator[Admin]:
        """Run a program of the Admin, and leave no process of its site behind."""
        more = {"PYTHONPATH": str(program), "EMS_ADMIN_STABILITY": "0.5", "PYTHONDONTWRITEBYTECODE": "1"}
        with subprocess.Popen(
            [sys.executable, "-P", "-m", "ems_admin", *words],
            env={**environment(site), **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                yield Admin(process)
            finally:
                kill_marked(self.place(site).site)
                if process.poll() is None:
                    process.kill()


def install(root: Path) -> Installed:
    """Copy the project and pack its builds."""
    package = copied(PACKAGE, root)
    own = own_identity(package)
    assert own is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "PACKAGE", package)
        packing.pack_unless_kept(root / "builds", own)
    return Installed(root=root, own=own)
