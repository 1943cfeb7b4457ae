"""Where things lie on this host, and the name by which the site's processes are known.

Source: `site.md` 4, 6, 8; `faults.md` D3.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from attrs import field, frozen

from ems_admin.engines.place import SitePlace, absolute

MARKER: Final = "EMS_ADMIN_CHILD"
"""The variable in the environment of every child. It says whose child that is, and of which start."""


@frozen(kw_only=True)
class Place(SitePlace):
    """The directories of one site. `releases` is the cache that builds were imported into."""

    releases: Path = field(converter=absolute)
    proc: Path = Path("/proc")

    @property
    def state(self) -> Path:
        """The records of the Admin; here only for the lock files of updaters."""
        return self.admin_data / "state"

    @property
    def stack_file(self) -> Path:
        """The readable file of what is to run."""
        return self.install_root / "stack.json"

    @property
    def programs(self) -> Path:
        """The program trees of all builds."""
        return self.install_root / "programs"

    def log(self, service: str) -> Path:
        """Name the file that takes what a service prints."""
        return self.admin_data / "logs" / f"{service}.log"

    def program(self, build_id: str, directory: str) -> Path:
        """Name where a program tree of a build is run from."""
        return self.programs / build_id / directory

    def packed(self, tag: str, directory: str) -> Path:
        """Name where the same tree lies in the release cache."""
        return self.releases / tag / directory

    def marker(self, service: str, attempt: str) -> str:
        """Say what stands in `EMS_ADMIN_CHILD` of the child of one start."""
        return f"{self.site}/{service}/{attempt}"


def is_plain(path: str) -> bool:
    """Say whether a relative path stays below where it begins: no root, no `..`, not empty."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\0" not in path
