"""A site as real files, and beside it what outlives every process: laid down from a world in memory."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, cast

from attrs import frozen

from ems_admin.stores.site_files import SiteFiles
from tests.memory.host import Host
from tests.memory.world import World

LOCK, LEFTOVER = ".lock", ".tmp"


@frozen
class FolderFiles(MutableMapping[str, bytes]):
    """The files of a site by the names that a world has for them, each read and written where it lies."""

    ground: Ground

    def __getitem__(self, name: str) -> bytes:
        try:
            return self.ground.path(name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise KeyError(name) from None

    def __setitem__(self, name: str, data: bytes) -> None:
        path = self.ground.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def __delitem__(self, name: str) -> None:
        try:
            self.ground.path(name).unlink()
        except FileNotFoundError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.ground.names() if not name.endswith((LOCK, LEFTOVER)))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@frozen
class Ground:
    """A folder with an install root, the Admin data, and what the engine keeps of its own."""

    root: Path

    @property
    def install_root(self) -> Path:
        return self.root / "ems"

    @property
    def admin_data(self) -> Path:
        return self.root / "admin"

    @property
    def files(self) -> FolderFiles:
        return FolderFiles(self)

    def lay(self, world: World) -> None:
        """Lay a world down, with the folders that a start makes first."""
        self.install_root.mkdir(parents=True)
        SiteFiles(admin_data=self.admin_data).prepare()
        for name in world.folders:
            self.path(name).mkdir(parents=True, exist_ok=True)
        for name, data in world.files.items():
            self.files[hidden(name)] = data
        self.keep(world.host)

    def world(self) -> World:
        """Give the world that lies here. What its engine does has to be kept."""
        host: Host = pickle.loads((self.root / "host").read_bytes())
        return World(files=cast("dict[str, bytes]", self.files), host=host)

    def keep(self, host: Host) -> None:
        """Keep what the engine knows: it is another process, which nobody kills here."""
        (self.root / "host").write_bytes(pickle.dumps(host))

    def path(self, name: str) -> Path:
        """Say where a file lies: those of the Admin by their plain name, those of the EMS with a leading slash."""
        return self.install_root / name[1:] if name.startswith("/") else self.admin_data / name

    def name(self, path: str) -> str:
        """Give the name back that a path has."""
        for root, lead in ((self.install_root, "/"), (self.admin_data, "")):
            if path.startswith(f"{root}/"):
                return lead + path.removeprefix(f"{root}/")
        return path

    def names(self) -> list[str]:
        """Name every file that is there, locks and leftovers too."""
        found = (path for root in (self.install_root, self.admin_data) for path in root.rglob("*"))
        return sorted(self.name(str(path)) for path in found if path.is_file())

    def picture(self) -> dict[str, bytes]:
        """Give every file but the locks, which say nothing."""
        return {name: self.path(name).read_bytes() for name in self.names() if not name.endswith(LOCK)}

    def essence(self) -> tuple[Any, ...]:
        """Tell what lies here from whatever may go on in another way."""
        host: Host = pickle.loads((self.root / "host").read_bytes())
        modes = tuple(self.path(name).stat().st_mode for name in self.names())
        return (tuple((_plain(name), data) for name, data in self.picture().items()), modes, host.picture())


def hidden(name: str) -> str:
    """Name the secrets that a config commit has set aside as they are named on a disk."""
    return name.replace("/config/credentials.json.", "/config/.credentials.json.")


def _plain(name: str) -> str:
    """Leave out the random part of a leftover's name."""
    return f"{name.rsplit('.', 2)[0]}{LEFTOVER}" if name.endswith(LEFTOVER) else name
