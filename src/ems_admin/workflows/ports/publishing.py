"""What a maintainer does with System Builds before anybody installs them. No site takes part.

Source: `site.md` 6, 10 (`release pack`, `release catalogue`, `release verify`).
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Protocol, runtime_checkable

from attrs import frozen

from ems_admin.machines.records.build import CatalogueEntry
from ems_admin.workflows.ports.builds import BuildFailure


@frozen(kw_only=True)
class CheckedBuild:
    """A build that holds every rule."""

    system_tag: str
    build_id: str
    revision: str
    files: int
    sha256: str | None
    """Of the archive; null for an unpacked build."""
    bytes: int | None
    """Of the archive."""


@runtime_checkable
class Publishing(Protocol):
    """Packing, listing and checking. Blocking; `detail` of a failure names the file that is at fault.

    `OSError` is raised where a named place cannot be read or written at all.
    """

    def pack(self, directory: PurePath, out: PurePath) -> CheckedBuild | BuildFailure:
        """Pack the folder of a maintainer into `out`, which appears whole and verified or not at all."""
        ...

    def catalogue(self, directory: PurePath) -> tuple[CatalogueEntry, ...] | BuildFailure:
        """Write `catalogue.json` over the archives in a folder, newest first."""
        ...

    def verify(self, place: PurePath) -> tuple[CheckedBuild, ...] | BuildFailure:
        """Check an archive, an unpacked build, or every archive that the catalogue of a folder lists."""
        ...
