"""A process over real files: every store is the real one, and only the engine, the builds and the clock are in memory.

Nothing waits for a thread or for real time, so that one process passes the same places as the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final, TypeVar, cast

from attrs import define, evolve, field, frozen

from ems_admin.machines.records.build import OwnIdentity
from ems_admin.stores.backups import BackupFiles
from ems_admin.stores.config import ConfigFiles
from ems_admin.stores.config_history import ConfigHistoryFiles
from ems_admin.stores.host import ProcessLocks
from ems_admin.stores.installation import InstallRoot
from ems_admin.stores.leftovers import clear_leftovers
from ems_admin.stores.passwords import PasswordStore
from ems_admin.stores.recovery import RecoveryFolders
from ems_admin.stores.runtime_state import RuntimeFile
from ems_admin.stores.setup_files import GeneratedFiles
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.startup import start_up
from tests.crashes.ground import Ground
from tests.crashes.knife import Knife, WatchedJournal
from tests.crashes.running import HERE, HeardTasks, StandingClock, Straight, Unsalted
from tests.memory.host import OLD_IMAGE
from tests.memory.house import OWN, house
from tests.memory.outside import MemoryEngine
from tests.memory.records import MemoryJournal
from tests.memory.replacing import hands
from tests.memory.running import MemoryIds
from tests.memory.site import MemorySite
from tests.workflows.foreign import NEWER
from tests.workflows.replacement.old_admin import OLD
from tests.workflows.scene import Scene

T = TypeVar("T")

NEXT: Final = 5000
"""Where the ids of the next process begin, so that they are nobody else's."""
UPGRADED: Final = evolve(OWN, system_tag="v2.0.0", build_id="2.0.0", revision="f" * 40, digest=NEWER["admin_digest"])
BUILDS: Final[dict[str, OwnIdentity]] = {OLD_IMAGE: OWN, OLD.digest or "": OLD, UPGRADED.digest or "": UPGRADED}
"""By image: which build an Admin is."""


@frozen(kw_only=True)
class FileSite(MemorySite):
    """One process over the files of a ground."""

    ground: Ground
    records: SiteFiles = field(init=False)
    knife: Knife | None = None
    journal: MemoryJournal = field(init=False)

    @journal.default
    def _watched(self) -> MemoryJournal:
        return WatchedJournal(self.clock, knife=self.knife)

    @records.default
    def _records(self) -> SiteFiles:
        return SiteFiles(admin_data=self.ground.admin_data, threads=HERE)

    def __getattribute__(self, name: str) -> Any:
        """Give the record of a name from the disk, and every other part as it is composed below."""
        if name in RECORDS:
            return getattr(object.__getattribute__(self, "records"), name)
        return object.__getattribute__(self, name)

    @property
    def config(self) -> Any:
        ground = self.ground
        return ConfigFiles(
            install_root=ground.install_root, admin_data=ground.admin_data, clock=self.clock, threads=HERE
        )

    @property
    def backups(self) -> Any:
        return BackupFiles(files=self.records, install_root=self.ground.install_root)

    @property
    def history(self) -> Any:
        return ConfigHistoryFiles(admin_data=self.ground.admin_data, clock=self.clock, threads=HERE)

    @property
    def setup_files(self) -> Any:
        return GeneratedFiles(self.records)

    @property
    def recovery(self) -> Any:
        return RecoveryFolders(files=self.records)

    @property
    def installation(self) -> Any:
        ground = self.ground
        return InstallRoot(
            install_root=ground.install_root, admin_data=ground.admin_data, stack_file="stack.json", threads=HERE
        )

    @property
    def passwords(self) -> Any:
        hasher = Unsalted(time_cost=1, memory_cost=8, parallelism=1)
        store = PasswordStore(install_root=self.ground.install_root, clock=self.clock, hasher=hasher)
        object.__setattr__(store, "_file", evolve(store._file, threads=HERE))
        return store


RECORDS: Final = frozenset(
    {
        *("setup", "transition", "marker", "selected_release", "known_good", "upgrade", "admin_update"),
        *("dispatch", "run", "config_commit", "native_services", "current_admin", "together"),
    }
)


def site_on(ground: Ground, knife: Knife | None = None, *, ids: int = NEXT) -> FileSite:
    """Give the site of a new process."""
    clock = StandingClock()
    clock.pass_time(timedelta(seconds=ids // 100))  # a moment later: nothing expires meanwhile
    return FileSite(
        ground=ground,
        knife=knife,
        world=ground.world(),
        clock=clock,
        ids=MemoryIds(ids),
        locks=cast("Any", ProcessLocks()),
        tasks=cast("Any", HeardTasks()),
    )


def house_of(site: FileSite, me: str) -> House:
    """Compose the Admin that runs in the container `me`."""
    composed = house(site)
    hand = Straight(hands(site.world, me), site.knife)
    return evolve(
        composed,
        identity=KnownIdentity(BUILDS[site.world.host.containers[me].image]),
        runtime=RuntimeFile(install_root=site.ground.install_root, clock=site.clock, threads=HERE),
        engine=cast("Any", Straight(composed.engine, site.knife)),
        builds=cast("Any", Straight(composed.builds, site.knife)),
        launcher=cast("Any", hand),
        mover=cast("Any", hand),
    )


@define
class FileScene(Scene):
    """An Admin over real files, with the person of a scene before it. Mutable: the story goes on."""

    me: str = "o"
    loop: asyncio.AbstractEventLoop = field(factory=asyncio.new_event_loop, kw_only=True)

    def __attrs_post_init__(self) -> None:
        self.house = house_of(self.file_site, self.me)

    @property
    def file_site(self) -> FileSite:
        assert isinstance(self.site, FileSite)
        return self.site

    @property
    def engine(self) -> MemoryEngine:
        engine = cast("Straight", self.house.engine).port
        assert isinstance(engine, MemoryEngine)
        return engine

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end."""
        return self.loop.run_until_complete(work)

    def finish(self) -> None:
        """Let every task run to its end."""
        self.loop.run_until_complete(cast("HeardTasks", self.site.tasks).ended())

    def start(self) -> FileScene:
        """Do what a start does, once it owns the site."""
        root, data = self.file_site.ground.install_root, self.file_site.ground.admin_data
        self.do(clear_leftovers(root, data, cast("RuntimeFile", self.house.runtime), threads=HERE))
        self.house.startup.passed = False
        self.do(start_up(self.house))
        return self


@contextmanager
def process(ground: Ground, person: Scene, knife: Knife | None = None, *, ids: int = NEXT) -> Iterator[FileScene]:
    """Be the Admin that the host runs, with a person before it who has kept what was given."""
    site = site_on(ground, knife, ids=ids)
    (running,) = site.world.host.admins_that_run()
    scene = FileScene(
        site=site,
        me=running.id,
        workflow_id=person.workflow_id,
        preview_id=person.preview_id,
        draft=person.draft,
        caller=person.caller,
    )
    try:
        yield scene
        scene.finish()
    finally:
        ground.keep(site.world.host)
        scene.loop.close()
