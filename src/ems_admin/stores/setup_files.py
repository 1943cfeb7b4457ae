"""What Guided Setup workflows leave on disk, and the proof that a file may be deleted.

That a workflow claims a file is said by its record. That deleting it is safe is proven here, from the canonical path of
the workflow's own directory or from the content of a file, and proven once more right before the removal.
Source: `seed 000` 5.3; `site.md` 4 (B2, B2a, B3).
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from functools import partial
from typing import Final

from attrs import frozen

from ems_admin import codec
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.setup import OWNER, ArtifactKind, GeneratedMetadata
from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.failures import unreadable
from ems_admin.stores.folders import Folder, UnsafeFolderError, is_regular, read_file
from ems_admin.stores.records import read_record, sha256
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.files import Content, Evidence, FileReading
from ems_admin.workflows.ports.records import Commit, Committed

WORKFLOWS: Final = ("workflows", "guided-setup")
GENERATED: Final = "generated"
CONFIG_FILE: Final = "config.json"
METADATA_FILE: Final = "config.meta.json"
CREDENTIALS_FILE: Final = "credentials.json"
GENERATED_LIMIT: Final = 1 << 20

_WORKFLOW_ID: Final = re.compile(r"[A-Za-z0-9_-]{43}")


@frozen
class GeneratedFiles:
    """The files below `workflows/guided-setup`, the two that older versions shared, and the deployment marker."""

    _site: SiteFiles

    async def write_generated_config(self, workflow_id: str, data: bytes) -> Commit:
        """Write B2."""
        return await self._site.threads.run(partial(self._write, workflow_id, CONFIG_FILE, data))

    async def write_generated_metadata(self, workflow_id: str, metadata: GeneratedMetadata) -> Commit:
        """Write B2a."""
        data = codec.encode(metadata)
        return await self._site.threads.run(partial(self._write, workflow_id, METADATA_FILE, data))

    async def write_generated_credentials(self, workflow_id: str, data: bytes) -> Commit:
        """Write the secrets that go with B2."""
        return await self._site.threads.run(partial(self._write, workflow_id, CREDENTIALS_FILE, data))

    async def generated_credentials(self, workflow_id: str) -> FileReading:
        """Read them."""
        return await self._site.threads.run(partial(_content, self._own(workflow_id), CREDENTIALS_FILE))

    async def generated_config(self, workflow_id: str) -> FileReading:
        """Read B2."""
        return await self._site.threads.run(partial(_content, self._own(workflow_id)))

    async def generated_metadata(self, workflow_id: str) -> Reading[GeneratedMetadata]:
        """Read B2a."""
        return await self._site.threads.run(partial(_metadata, self._own(workflow_id)))

    async def evidence(self, kind: ArtifactKind, workflow_id: str) -> Evidence:
        """Look at one artifact, without touching it."""
        if not _WORKFLOW_ID.fullmatch(workflow_id):
            return Evidence.FOREIGN  # a name that could lead elsewhere is nobody's
        return await self._site.threads.run(partial(self._evidence, kind, workflow_id))

    async def remove(self, kind: ArtifactKind, workflow_id: str) -> bool:
        """Remove it after proving once more that it is safe; say whether it is gone."""
        if not _WORKFLOW_ID.fullmatch(workflow_id):
            return False
        if kind is ArtifactKind.DEPLOYMENT_MARKER:
            return await self._remove_marker(workflow_id)
        return await self._site.threads.run(partial(self._remove, kind, workflow_id))

    def directory(self, workflow_id: str) -> Folder:
        """Name the directory of a workflow. Raises `ValueError` for an id that no workflow can have."""
        if not _WORKFLOW_ID.fullmatch(workflow_id):
            raise ValueError("no workflow id")
        return self._site.folder.inner(*WORKFLOWS, workflow_id)

    def _own(self, workflow_id: str) -> Folder:
        return self.directory(workflow_id).inner(GENERATED)

    def _write(self, workflow_id: str, name: str, data: bytes) -> Commit:
        place = Place(folder=self._own(workflow_id), name=name, limit=GENERATED_LIMIT)
        disk = self._site.disk
        try:
            with place.folder.opened(disk, make=True) as at:
                atomic.clear_leftovers(name, at=at, disk=disk)
        except OSError as error:
            return atomic.failed(place, error)
        return atomic.replace(place, data, disk=disk)

    def _evidence(self, kind: ArtifactKind, workflow_id: str) -> Evidence:
        match kind:
            case ArtifactKind.WORKFLOW_DIRECTORY:
                return _asked(partial(_directory_evidence, self.directory(workflow_id)))
            case ArtifactKind.GENERATED_CONFIG:
                return _asked(partial(_path_evidence, self._own(workflow_id), CONFIG_FILE))
            case ArtifactKind.GENERATED_METADATA:
                return _asked(partial(_path_evidence, self._own(workflow_id), METADATA_FILE))
            case ArtifactKind.LEGACY_GENERATED_CONFIG:
                return _asked(partial(self._shared_evidence, CONFIG_FILE, workflow_id))
            case ArtifactKind.LEGACY_GENERATED_METADATA:
                return _asked(partial(self._shared_evidence, METADATA_FILE, workflow_id))
            case ArtifactKind.DEPLOYMENT_MARKER:
                return _content_evidence(self._site.marker.look(), workflow_id)

    def _shared_evidence(self, name: str, workflow_id: str) -> Evidence:
        """The two shared files are judged by the sidecar alone: it says whose both are."""
        shared = self._site.folder.inner(GENERATED)
        here = _path_evidence(shared, name)
        if here is not Evidence.OURS:
            return here
        return _content_evidence(_metadata(shared), workflow_id, absent=Evidence.FOREIGN)

    def _remove(self, kind: ArtifactKind, workflow_id: str) -> bool:
        evidence = self._evidence(kind, workflow_id)
        if evidence is not Evidence.OURS:
            return evidence is Evidence.ABSENT
        match kind:
            case ArtifactKind.WORKFLOW_DIRECTORY:
                return self._remove_directory(workflow_id)
            case ArtifactKind.GENERATED_CONFIG | ArtifactKind.GENERATED_METADATA:
                folder = self._own(workflow_id)
            case _:
                folder = self._site.folder.inner(GENERATED)
        name = METADATA_FILE if "metadata" in kind else CONFIG_FILE
        return isinstance(atomic.remove(Place(folder=folder, name=name), disk=self._site.disk), Committed)

    def _remove_directory(self, workflow_id: str) -> bool:
        """Remove everything below it and then itself; one that was cut is still a workflow's own, and goes on."""
        disk = self._site.disk
        try:
            with self._site.folder.inner(*WORKFLOWS).opened(disk) as at:
                shutil.rmtree(workflow_id, dir_fd=at)  # follows no link on the way
                disk.fsync(at)
        except OSError:
            return False
        return True

    async def _remove_marker(self, workflow_id: str) -> bool:
        async with self._site.marker.hold() as marker:
            reading = await marker.read()
            evidence = _content_evidence(reading, workflow_id)
            if evidence is not Evidence.OURS:
                return evidence is Evidence.ABSENT
            return isinstance(await marker.remove(), Committed)


def _asked(look: Callable[[], Evidence]) -> Evidence:
    try:
        return look()
    except UnsafeFolderError:
        return Evidence.FOREIGN  # a link on the way: what it leads to was not made by a workflow
    except FileNotFoundError:
        return Evidence.ABSENT
    except OSError:
        return Evidence.UNREADABLE


def _directory_evidence(directory: Folder) -> Evidence:
    with directory.opened():
        canonical = os.path.realpath(directory.path) == directory.path
        return Evidence.OURS if canonical else Evidence.FOREIGN


def _path_evidence(folder: Folder, name: str) -> Evidence:
    with folder.opened() as at:
        regular = is_regular(name, at=at)
    if regular is None:
        return Evidence.ABSENT
    return Evidence.OURS if regular else Evidence.FOREIGN


def _content_evidence(
    reading: Reading[DeploymentMarker] | Reading[GeneratedMetadata],
    workflow_id: str,
    *,
    absent: Evidence = Evidence.ABSENT,
) -> Evidence:
    match reading:
        case Absent():
            return absent
        case Unreadable():
            return Evidence.UNREADABLE
        case Present(record=record):
            ours = record.owner == OWNER and record.workflow_id == workflow_id
            return Evidence.OURS if ours else Evidence.FOREIGN


def _content(folder: Folder, name: str = CONFIG_FILE) -> FileReading:
    data = _bytes(folder, name, GENERATED_LIMIT)
    return Content(data=data, revision=sha256(data)) if isinstance(data, bytes) else data


def _metadata(folder: Folder) -> Reading[GeneratedMetadata]:
    data = _bytes(folder, METADATA_FILE, codec.RECORD_LIMIT)
    return read_record(data, GeneratedMetadata) if isinstance(data, bytes) else data


def _bytes(folder: Folder, name: str, limit: int) -> bytes | Absent | Unreadable:
    try:
        with folder.opened() as at:
            data = read_file(name, at=at, limit=limit)
    except FileNotFoundError:
        return Absent()
    except OSError as error:
        return unreadable(error)
    return Absent() if data is None else data
