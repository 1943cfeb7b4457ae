"""The history of the config in memory, under the names that it has on disk."""

from __future__ import annotations

from attrs import frozen

from ems_admin import codec
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.history import HISTORY_FORMAT, KeptRevision
from ems_admin.machines.records.reading import Absent, Present, ReadFault, Unreadable
from ems_admin.stores.records import read_record, sha256
from ems_admin.workflows.ports.files import Content, FileReading
from ems_admin.workflows.ports.history import History
from ems_admin.workflows.ports.records import Commit, Committed
from ems_admin.workflows.ports.running import Clock
from tests.memory.files import content
from tests.memory.world import Call, Step, World

FOLDER = "backups/history"
KINDS = ("applied", "found")


@frozen
class MemoryHistory:
    """Implements `ConfigHistory` over a world. Only what it names is looked at, so that others commute with it."""

    world: World
    clock: Clock

    async def keep(self, data: bytes, *, path: WritePath, base: str | None, commit_id: str) -> Commit:
        lines = self._lines()
        if any(line is not None and (line.commit_id, line.path) == (commit_id, path) for line in lines):
            return Committed()
        return await self._add(data, lines, path=path, base=base, commit_id=commit_id)

    async def keep_found(self, data: bytes, *, commit_id: str) -> Commit:
        lines = self._lines()
        last = next((line for line in reversed(lines) if line is not None), None)
        if last is not None and last.revision == sha256(data):
            return Committed()
        base = None if last is None else last.revision
        return await self._add(data, lines, path=None, base=base, commit_id=commit_id)

    async def lay_by(self, data: bytes) -> Commit:
        return await self._put_bytes("found", data)

    async def list(self) -> History | Unreadable:
        await Step(Call("list the history"))
        lines = self._lines()
        return History(
            revisions=tuple(line for line in lines if line is not None),
            damaged=tuple(self._name(at) or "" for at, line in enumerate(lines, start=1) if line is None),
        )

    async def read(self, revision: str) -> FileReading:
        await Step(Call(f"read revision {revision}"))
        return self._read(revision)

    async def _add(
        self,
        data: bytes,
        lines: tuple[KeptRevision | None, ...],
        *,
        path: WritePath | None,
        base: str | None,
        commit_id: str,
    ) -> Commit:
        kind = "found" if path is None else "applied"
        outcome = await self._put_bytes(kind, data)
        if not isinstance(outcome, Committed):
            return outcome
        line = KeptRevision(
            format_version=HISTORY_FORMAT,
            sequence=len(lines) + 1,
            commit_id=commit_id,
            path=path,
            revision=sha256(data),
            base=base,
            kept_at=self.clock.now(),
        )
        return await self.world.change(f"{FOLDER}/commits/{line.sequence:08}-{kind}.json", codec.encode(line))

    async def _put_bytes(self, kind: str, data: bytes) -> Commit:
        revision = sha256(data)
        if isinstance(self._read(revision), Content):
            return Committed()
        return await self.world.change(f"{FOLDER}/{kind}/{revision}.json", data)

    def _read(self, revision: str) -> FileReading:
        seen: FileReading = Absent()
        for kind in KINDS:
            data = self.world.files.get(f"{FOLDER}/{kind}/{revision}.json")
            if data is None:
                continue
            if sha256(data) == revision:
                return content(data)
            seen = Unreadable(fault=ReadFault.TAMPERED, sha256=sha256(data))
        return seen

    def _lines(self) -> tuple[KeptRevision | None, ...]:
        lines: list[KeptRevision | None] = []
        while (name := self._name(len(lines) + 1)) is not None:
            reading = read_record(self.world.files[f"{FOLDER}/commits/{name}"], KeptRevision)
            fits = isinstance(reading, Present) and reading.record.sequence == len(lines) + 1
            lines.append(reading.record if isinstance(reading, Present) and fits else None)
        return tuple(lines)

    def _name(self, sequence: int) -> str | None:
        """Name the line of this number; `None` where there is none."""
        names = (f"{sequence:08}-{kind}.json" for kind in KINDS)
        return next((name for name in names if self.world.files.get(f"{FOLDER}/commits/{name}") is not None), None)
