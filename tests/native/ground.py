"""A site with imported builds, on a real disk: what a native engine stands on."""

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from attrs import field, frozen

from ems_admin.machines.records.build import (
    Channel,
    HealthCheck,
    ImagePin,
    Manifest,
    Program,
    Service,
    Stack,
)
from ems_admin.machines.records.installed import NativeServices
from ems_admin.machines.records.transition import CompatibilityMode
from ems_admin.native.engine import NativeEngine
from ems_admin.native.place import Place
from ems_admin.native.programs import digest
from ems_admin.native.sights import Limits
from ems_admin.stores.host import HostClock, RandomIds
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.engine import Deployment, Done, EngineFailure, Progress
from ems_admin.workflows.ports.records import RecordStore
from ems_admin.workflows.ports.services import Observation, Seen, SeenService
from tests.native.records import Interfered

PROGRAM = Path(__file__).with_name("program")
QUICK = Limits(grace=timedelta(seconds=1), start_or_stop=timedelta(seconds=20), dashboard=timedelta(seconds=1))


@frozen
class Ground:
    """One site below `root`."""

    root: Path
    proc: Path = Path("/proc")
    files: SiteFiles = field(init=False, eq=False)

    @files.default
    def _files(self) -> SiteFiles:
        return SiteFiles(admin_data=self.root / "admin")

    @property
    def place(self) -> Place:
        admin = self.root / "admin"
        return Place(install_root=self.root, admin_data=admin, releases=admin / "releases", proc=self.proc)

    def engine(self, store: RecordStore[NativeServices] | None = None, limits: Limits = QUICK) -> NativeEngine:
        store = store or self.files.native_services
        return NativeEngine(self.place, store, clock=HostClock(), ids=RandomIds(), limits=limits)

    def interfered(self) -> Interfered:
        """The record of the native services, to be interfered with."""
        return Interfered(self.files.native_services)

    def deployment(self, *services: Service, build: str = "b1") -> Deployment:
        """Import a build whose services all run the same program."""
        tree = self.place.packed(f"v1-{build}", "programs/ems")
        if not tree.exists():
            shutil.copytree(PROGRAM, tree, ignore=shutil.ignore_patterns("__pycache__"))
            (tree / "build.txt").write_text(build)
        program = Program(
            directory="programs/ems",
            command=("{python}", "ems.py", "{config}", "{port}"),
            sha256=digest(tree),
        )
        return Deployment(
            manifest=Manifest(
                format_version=1,
                system_tag=f"v1-{build}",
                channel=Channel.LOCAL,
                revision="0" * 40,
                build_id=build,
                built_at=datetime(2026, 1, 1, tzinfo=UTC),
                admin=ImagePin(image=None, digest=None),
                ems=ImagePin(image=None, digest=None),
                compatibility_mode=CompatibilityMode.MODERN_PAIRED,
                requires="0" * 64,
                stack="stack.json",
                config_template="config.json",
                config_schema="schema.json",
                programs={"ems": program},
                files={},
            ),
            stack=Stack(format_version=1, services=services or (service(),)),
        )

    async def ready(self, *services: Service, build: str = "b1") -> Deployment:
        """Import a build and bring its program to where it is run."""
        deployment = self.deployment(*services, build=build)
        assert await self.engine().fetch(deployment, nobody) == Done()
        return deployment


def service(
    name: str = "ems",
    *,
    way: str = "good",
    after: tuple[str, ...] = (),
    publish: int = 0,
    start_period: int = 10,
    environment: Mapping[str, str] | None = None,
) -> Service:
    return Service(
        name=name,
        image="ems",
        program="ems",
        after=after,
        command=(),
        environment={"WAY": way, **(environment or {})},
        mounts=(),
        port=8080,
        publish=publish,
        health=HealthCheck(path="/health", interval_seconds=1, timeout_seconds=2, start_period_seconds=start_period),
        dashboard_path="/",
    )


def nobody(_progress: Progress) -> None:
    """Listen to no report."""


def seen(observation: Observation, name: str = "ems") -> SeenService:
    assert isinstance(observation, Seen), observation
    return next(one for one in observation.services if one.service == name)


def failure(outcome: Done | EngineFailure) -> EngineFailure:
    assert isinstance(outcome, EngineFailure), outcome
    return outcome
