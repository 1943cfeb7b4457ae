"""System Builds: what is offered, what was imported, and which one this very Admin is.

Source: `site.md` 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import CatalogueEntry, Manifest, Stack
from ems_admin.workflows.ports.engine import Report


@frozen(kw_only=True)
class BuildFailure:
    """A build that cannot be had, with the code that says why; `detail` is admin, ems or archive where it narrows."""

    code: Code
    detail: str | None = None


@frozen(kw_only=True)
class Resources:
    """An imported build, unpacked and verified."""

    manifest: Manifest
    stack: Stack
    template: Mapping[str, Any]
    """The config that a fresh site starts from."""
    schema: Mapping[str, Any]
    """JSON Schema of the config."""
    example: Mapping[str, Any] | None
    """A draft to begin with, when the build offers one (`draft-example.json` among its files)."""


@frozen(kw_only=True)
class Examined:
    """A build that was read out of its archive and verified, while nothing of it was kept."""

    resources: Resources
    archive_bytes: int
    unpacked_bytes: int
    """Of all its files together, as they would lie in the release cache."""


class Builds(Protocol):
    """Release sources and the release cache."""

    async def offered(self) -> tuple[CatalogueEntry, ...] | BuildFailure:
        """List what the sources offer, newest first; `release_source_unreachable` when they cannot be asked."""
        ...

    async def resolve(self, tag: str) -> Manifest | BuildFailure:
        """Read the manifest of a build, its archive's hash verified. Nothing is stored.

        `unsupported_value`, `system_build_floating`, `system_build_unknown`, `system_build_unavailable`,
        `system_build_mismatch`, `system_build_resources_invalid`, `release_source_unreachable`, `clock_not_plausible`.
        """
        ...

    async def examine(self, tag: str) -> Examined | BuildFailure:
        """Read a build whole out of its verified archive: what it would bring, and how large that is.

        Nothing is stored, so that a plan can be shown before anything is decided. Fails like `resolve`.
        """
        ...

    async def import_build(self, tag: str, report: Report) -> Manifest | BuildFailure:
        """Unpack a build into the cache, manifest last; one that is there already is verified again.

        Reports the steps `download` and `unpack`; a caller that is cancelled leaves no manifest behind.
        """
        ...

    async def resources(self, tag: str) -> Resources | BuildFailure:
        """Read an imported build; `release_not_prepared` when it was never imported whole."""
        ...

    async def prune(self, keep: frozenset[str], *, spare: int = 0) -> frozenset[str] | None:
        """Remove cached builds whose tags are not in `keep`, but for the newest `spare` of them.

        Gives the build ids that are still here; `None` when that cannot be said, and then nothing more may go.
        """
        ...
