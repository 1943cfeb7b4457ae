"""The files that are not records: the live config with its credentials, what a Setup generates, the install root.

Source: `site.md` 1.13, 4, 11; `seed 000` 5.3; `faults.md` D7, D8, F13.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeAlias

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Absent, Reading, Unreadable
from ems_admin.machines.records.setup import ArtifactKind, GeneratedMetadata
from ems_admin.machines.setup.cleanup_plan import Evidence as Evidence  # noqa: PLC0414  # part of the port
from ems_admin.workflows.ports.records import Commit


@frozen(kw_only=True)
class Content:
    """The bytes of a file; their SHA-256 is the file's revision."""

    data: bytes
    revision: str


FileReading: TypeAlias = Absent | Content | Unreadable


class HeldConfig(Protocol):
    """Live config and credential store under their one lock."""

    async def config(self) -> FileReading:
        """Read `config/config.json`."""
        ...

    async def credentials(self) -> FileReading:
        """Read `config/credentials.json`."""
        ...

    async def keep_credentials(self, commit_id: str) -> Commit:
        """Lay the old bytes of the credential store beside it until the commit is over."""
        ...

    async def kept_credentials(self, commit_id: str) -> FileReading:
        """Read those bytes; `Absent` when there was no credential store."""
        ...

    async def drop_kept_credentials(self, commit_id: str) -> Commit:
        """Remove them."""
        ...

    async def write_credentials(self, data: bytes | None) -> Commit:
        """Replace the credential store (mode 0600), or remove it."""
        ...

    async def write_config(self, data: bytes) -> Commit:
        """Replace the live config; where that is impossible it is `config_file_not_replaceable`, never rewritten."""
        ...

    async def back_up(self, label: str, data: bytes | None = None) -> str | Commit:
        """Copy the live config, or `data`, into `backups/config` and give the file's name; the outcome on failure."""
        ...

    async def set_aside(self, label: str) -> str | Commit:
        """Copy a live config that says nothing usable there as well, under a name that says so."""
        ...


class ConfigStore(Protocol):
    """The live config of the EMS."""

    def hold(self, wait: float = 10.0) -> AbstractAsyncContextManager[HeldConfig]:
        """Hold the config lock. Raises `RefusalError` like `RecordStore.hold`, and `config_not_writable`."""
        ...

    async def config(self) -> FileReading:
        """Read the live config without the lock."""
        ...

    async def credentials(self) -> FileReading:
        """Read the credential store without the lock."""
        ...


class SetupFiles(Protocol):
    """What Guided Setup workflows generate, below `workflows/guided-setup/<id>`."""

    async def write_generated_config(self, workflow_id: str, data: bytes) -> Commit:
        """Write B2."""
        ...

    async def write_generated_metadata(self, workflow_id: str, metadata: GeneratedMetadata) -> Commit:
        """Write B2a."""
        ...

    async def write_generated_credentials(self, workflow_id: str, data: bytes) -> Commit:
        """Write the secrets that go with B2, mode 0600, beside it: they leave with the workflow's directory."""
        ...

    async def generated_credentials(self, workflow_id: str) -> FileReading:
        """Read those secrets."""
        ...

    async def generated_config(self, workflow_id: str) -> FileReading:
        """Read B2."""
        ...

    async def generated_metadata(self, workflow_id: str) -> Reading[GeneratedMetadata]:
        """Read B2a."""
        ...

    async def evidence(self, kind: ArtifactKind, workflow_id: str) -> Evidence:
        """Look at one artifact, without touching it."""
        ...

    async def remove(self, kind: ArtifactKind, workflow_id: str) -> bool:
        """Remove it after proving once more that it is safe; say whether it is gone."""
        ...


@frozen(kw_only=True)
class Layout:
    """Which files of an EMS are there; `None` where that could not be read."""

    root_config: bool | None
    standard_config: bool | None
    stack_file: bool | None
    digests: tuple[tuple[str, str | None], ...] | None
    """SHA-256 (null: absent) of `standard_config`, `legacy_config` and `stack_file`; `None` when one is unreadable."""


@frozen(kw_only=True)
class RuntimeIdentity:
    """As whom the EMS runs."""

    puid: int
    pgid: int


@frozen(kw_only=True)
class DirectoryVerdict:
    """A directory that cannot be written, and why."""

    code: Code
    detail: str
    """`<directory> is <uid>:<gid>, running as <uid>:<gid>`, relative names only."""


class Installation(Protocol):
    """The install root as a whole."""

    async def layout(self) -> Layout:
        """Look which files are there."""
        ...

    async def legacy_config(self) -> FileReading:
        """Read the `config.json` of the old layout, directly in the install root; a byte order mark is allowed."""
        ...

    async def runtime_identity(self) -> RuntimeIdentity | None:
        """Say as whom the EMS is to run; `None` when that cannot be read."""
        ...

    async def workspace(self) -> Commit:
        """Make the directories that a deployment needs."""
        ...

    async def workspace_exists(self) -> bool:
        """Say whether they are there."""
        ...

    async def repair_permissions(self, identity: RuntimeIdentity) -> tuple[str, ...] | DirectoryVerdict:
        """Give config and data back to who runs the EMS, and name what was mended, relative to the install root.

        Nothing outside the install root, and nothing through a link. What belongs to somebody else and cannot be given
        back is the answer, before anything that can be seen is changed.
        """
        ...

    async def not_writable(self) -> DirectoryVerdict | None:
        """Probe every directory that mutations write to; name the first that refuses."""
        ...

    async def free_bytes(self) -> int | None:
        """Tell the free space of the Admin data; `None` when that cannot be read."""
        ...
