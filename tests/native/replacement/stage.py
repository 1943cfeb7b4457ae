"""A site whose small Admin is to be replaced: its programs, its records, and every process that comes of it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from ems_admin.codec import encode
from ems_admin.composition.native import admins_of
from ems_admin.composition.options import Options
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome, Run
from ems_admin.machines.records.transition import Stage as At
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement.attempts import transition_identity, updater_name
from ems_admin.native import programs
from ems_admin.native.place import Place
from ems_admin.native.replacement import incumbent
from ems_admin.native.replacement.admins import Admins, Limits
from ems_admin.native.replacement.incumbent import Incumbent
from ems_admin.native.replacement.mover import NativeMover
from ems_admin.native.replacement.pointer import Pointer
from ems_admin.native.sockets import free_port
from ems_admin.stores.host import HostClock
from ems_admin.stores.journal import JournalFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.updater.walking import WalkOf, updating_of
from ems_admin.workflows.ports.replacement import Mover
from ems_admin.workflows.replacement.updating import Updating
from tests.native.host import kill_marked, until
from tests.stores.records import TRANSITION

PROGRAM = Path(__file__).with_name("program")
OPERATION = "0" * 32
OLD, NEW = "1.0.0-old", "2.0.0-new"
REVISIONS = {OLD: "1" * 40, NEW: "2" * 40}
QUICK = Limits(
    grace=timedelta(seconds=2),
    up=timedelta(seconds=10),
    taken=timedelta(seconds=1),
    well=timedelta(seconds=1),
    stable=timedelta(milliseconds=300),
)


@define(eq=False)
class Stage:
    """One site below `root`."""

    root: Path
    port: int = field(factory=lambda: free_port(frozenset()))
    files: SiteFiles = field(init=False)
    processes: list[subprocess.Popen[bytes]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.files = SiteFiles(admin_data=self.root / "admin")
        self.files.prepare()

    @property
    def place(self) -> Place:
        admin = self.root / "admin"
        return Place(install_root=self.root, admin_data=admin, releases=admin / "releases")

    @property
    def options(self) -> Options:
        return Options(install_root=self.root, admin_data=self.root / "admin")

    @property
    def admins(self) -> Admins:
        return evolve(admins_of(self.place, HostClock()), limits=QUICK)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def program(self, build: str, way: str = "good") -> str:
        """Lay out the program of a build, and give its digest."""
        root = self.place.program(build, "programs/admin")
        shutil.copytree(PROGRAM, root, ignore=shutil.ignore_patterns("__pycache__"))
        said = {"build_id": build, "revision": REVISIONS[build], "way": way}
        (root / "ems_admin" / "build.json").write_text(json.dumps(said))
        return programs.digest(root)

    def start_old(self) -> Incumbent:
        """Start the old Admin, as its person does, and say what it says of itself."""
        root = self.place.program(OLD, "programs/admin")
        words = ("serve", "--state", str(self.place.state), "--listen", f"127.0.0.1:{self.port}")
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "ems_admin", *words],
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self.processes.append(child)
        until(lambda: self.health() is not None)
        found = self.admins.processes.find(child.pid)
        assert found is not None
        return Incumbent(
            format_version=1,
            build_id=OLD,
            digest=programs.digest(root),
            python=sys.executable,
            arguments=words,
            directory=str(self.root),
            environment=incumbent.kept(os.environ),
            url=self.url,
            pid=found.pid,
            start_ticks=found.start_ticks,
            boot_id=found.boot_id,
        )

    def handed_over(self, digest: str) -> Transition:
        """Say in B1 and in the dispatch record that the new Admin is on its way."""
        now = HostClock().now()
        transition = evolve(
            TRANSITION,
            stage=At.ADMIN_RECONNECT_PENDING,
            operation_id=OPERATION,
            build_id=NEW,
            revision=REVISIONS[NEW],
            admin_digest=digest,
            created_at=now,
            updated_at=now,
            expires_at=now + timedelta(hours=1),
            created_boot_id=HostClock().boot_id(),
            created_boottime=HostClock().boottime(),
        )
        attempt = Attempt(
            number=1,
            container=updater_name(OPERATION, 1),
            image=None,
            tries=1,
            outcome=Outcome.LAUNCHED,
            code=None,
            exit=None,
        )
        dispatch = Dispatch(
            format_version=1,
            operation_id=OPERATION,
            transition_identity=transition_identity(transition),
            attempts=(attempt,),
        )
        (self.place.state / "pending-transition.json").write_bytes(encode(transition))
        (self.place.state / "replacement-dispatch.json").write_bytes(encode(dispatch))
        return transition

    def begun(self, way: str = "good", old: str = "good") -> Incumbent:
        """Set the whole stage: the old Admin serves, and an updater may walk."""
        self.program(OLD, old)
        digest = self.program(NEW, way)
        before = self.start_old()
        self.handed_over(digest)
        incumbent.tell(self.place.state, OPERATION, 1, before)
        return before

    def mover(self) -> NativeMover:
        pointer = Pointer(store=self.files.current_admin, clock=HostClock())
        told = incumbent.told(self.place.state, OPERATION, 1)
        return NativeMover(admins=self.admins, pointer=pointer, told=told)

    def updating(self, mover: Mover | None = None) -> Updating:
        """Compose a walk anew, as every entry does."""
        journal = JournalFile(admin_data=self.place.admin_data, clock=HostClock())
        return updating_of(journal, WalkOf(OPERATION, 1), mover or self.mover())

    def health(self) -> Mapping[str, Any] | None:
        """Ask whoever answers at the address of the site."""
        with suppress(OSError), urllib.request.urlopen(f"{self.url}/api/admin/health", timeout=5) as answer:
            found: dict[str, Any] = json.load(answer)
            return found
        return None

    @property
    def transition(self) -> Transition:
        reading = self.files.transition.look()
        assert isinstance(reading, Present)
        return reading.record

    @property
    def run(self) -> Run:
        reading = self.files.run.look()
        assert isinstance(reading, Present)
        return reading.record

    def run_code(self) -> str | None:
        """Read why the walk turned round, if there is one and it did."""
        reading = self.files.run.look()
        return reading.record.code if isinstance(reading, Present) else None

    @property
    def pointed(self) -> tuple[str, str] | None:
        """Give what the pointer names, and what came before."""
        reading = self.files.current_admin.look()
        return (reading.record.build, reading.record.previous) if isinstance(reading, Present) else None

    def running(self) -> list[str]:
        """Name the builds of the Admins that run, whoever started them."""
        return sorted(build for build, _ in self.admins_running())

    def admins_running(self) -> list[tuple[str, int]]:
        found = []
        for place in Path("/proc").iterdir():
            with suppress(OSError):
                words = place.joinpath("cmdline").read_bytes().decode().split("\0") if place.name.isdigit() else []
                if str(self.place.state) in words and "serve" in words:
                    path = place.joinpath("environ").read_bytes().decode().split("PYTHONPATH=")[1]
                    found.append((path.split("/programs/")[1].split("/")[0], int(place.name)))
        return found

    def power_cut(self) -> None:
        """End every process at once, as the loss of power does."""
        for _, pid in self.admins_running():
            os.kill(pid, signal.SIGKILL)
        self.reap()

    def reap(self) -> None:
        for child in self.processes:
            with suppress(subprocess.TimeoutExpired):
                child.wait(0.01)

    def clear(self) -> None:
        for child in self.processes:
            child.kill()
            child.wait()
        kill_marked(self.place.site)
        deadline = time.monotonic() + 10
        while self.admins_running() and time.monotonic() < deadline:
            self.power_cut()
