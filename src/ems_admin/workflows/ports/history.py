"""The history of the live config: every revision that was applied or found, with its bytes.

Source: `site.md` 9 (Config history); `http.md` 5.3 (config/history).
"""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.history import KeptRevision
from ems_admin.machines.records.reading import Unreadable
from ems_admin.workflows.ports.files import FileReading
from ems_admin.workflows.ports.records import Commit


@frozen(kw_only=True)
class History:
    """What is kept, oldest first."""

    revisions: tuple[KeptRevision, ...]
    damaged: tuple[str, ...] = ()
    """Lines that their own decoder does not accept, by file name: shown, and never passed on as good."""

    @property
    def last(self) -> KeptRevision | None:
        """The revision that the history ends with."""
        return self.revisions[-1] if self.revisions else None


class ConfigHistory(Protocol):
    """Revisions of the live config. Nothing is ever taken out of it.

    Lines are added under the config lock, by whoever holds it. The bytes of each revision are kept once.
    """

    async def keep(self, data: bytes, *, path: WritePath, base: str | None, commit_id: str) -> Commit:
        """Add the line of a commit, and the bytes that it wrote; a commit that has its line already is `Committed`."""
        ...

    async def keep_found(self, data: bytes, *, commit_id: str) -> Commit:
        """Add the line of bytes that a commit came upon, unless they are those that the history ends with."""
        ...

    async def lay_by(self, data: bytes) -> Commit:
        """Keep the bytes of a revision that somebody goes by, to be compared with later. Adds no line."""
        ...

    async def list(self) -> History | Unreadable:
        """Read every line."""
        ...

    async def read(self, revision: str) -> FileReading:
        """Read the bytes of a revision; they hash to it, or they are `Unreadable` (`tampered`)."""
        ...
