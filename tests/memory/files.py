"""Config, credentials, generated files, install root and password in memory."""

# long because: every file that is no record, beside one another

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from attrs import define, frozen

from ems_admin import codec
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.setup import OWNER, ArtifactKind, GeneratedMetadata
from ems_admin.stores.records import read_record, sha256
from ems_admin.workflows.ports.access import PasswordFile
from ems_admin.workflows.ports.files import Content, DirectoryVerdict, Evidence, FileReading, Layout, RuntimeIdentity
from ems_admin.workflows.ports.records import Commit, Committed
from ems_admin.workflows.ports.runtime import RuntimeSync, RuntimeValue
from tests.memory.records import held
from tests.memory.world import Call, Durable, Step, World

CONFIG = "/config/config.json"
CREDENTIALS = "/config/credentials.json"
RUNTIME = "/data/runtime-state.json"
MARKER = "state/.admin-deployment.json"
NOBODY_IN_PARTICULAR = RuntimeIdentity(puid=1000, pgid=1000)


@frozen
class MemoryConfig:
    """Live config and credential store of a world; held and unheld alike."""

    world: World

    @asynccontextmanager
    async def hold(self, wait: float = 10.0) -> AsyncIterator[MemoryConfig]:
        async with held(self.world, CONFIG, wait):
            yield self

    async def config(self) -> FileReading:
        return await self._read(CONFIG)

    async def credentials(self) -> FileReading:
        return await self._read(CREDENTIALS)

    async def keep_credentials(self, commit_id: str) -> Commit:
        return await self.world.change(_kept(commit_id), self.world.files.get(CREDENTIALS))

    async def kept_credentials(self, commit_id: str) -> FileReading:
        return await self._read(_kept(commit_id))

    async def drop_kept_credentials(self, commit_id: str) -> Commit:
        return await self.world.change(_kept(commit_id), None)

    async def write_credentials(self, data: bytes | None) -> Commit:
        return await self.world.change(CREDENTIALS, data)

    async def write_config(self, data: bytes) -> Commit:
        return await self.world.change(CONFIG, data)

    async def back_up(self, label: str, data: bytes | None = None) -> str | Commit:
        number = sum(name.startswith("backups/config/") for name in self.world.files) + 1
        name = f"backups/config/{number}-{label}.json"
        outcome = await self.world.change(name, self.world.files[CONFIG] if data is None else data)
        return name if isinstance(outcome, Committed) else outcome

    async def set_aside(self, label: str) -> str | Commit:
        name = f"backups/config/{label}.unreadable"
        outcome = await self.world.change(name, self.world.files[CONFIG])
        return name if isinstance(outcome, Committed) else outcome

    async def _read(self, name: str) -> FileReading:
        await Step(Call(f"read {name}"))
        return content(self.world.files.get(name))


def content(data: bytes | None) -> FileReading:
    """Read bytes as the real store reads a config."""
    if data is None:
        return Absent()
    try:
        codec.parse(data, mark_allowed=True)
    except codec.TextError as error:
        return Unreadable(fault=error.fault, detail=error.detail, sha256=sha256(data))
    return Content(data=data, revision=sha256(data))


def _kept(commit_id: str) -> str:
    return f"{CREDENTIALS}.{commit_id}.kept"


@frozen
class MemoryRuntime:
    """What the EMS of a world was told while it runs."""

    world: World

    async def converge(self, values: Mapping[str, RuntimeValue]) -> RuntimeSync:
        await Step(Call("converge"))
        told = self.world.files.get(RUNTIME)
        if told is None:
            return RuntimeSync.ABSENT
        await self.world.change(RUNTIME, json.dumps(json.loads(told) | dict(values)).encode())
        return RuntimeSync.SYNCED


@frozen
class MemorySetupFiles:
    """What workflows generate in a world."""

    world: World

    async def write_generated_config(self, workflow_id: str, data: bytes) -> Commit:
        return await self.world.change(generated(workflow_id, "config.json"), data)

    async def write_generated_metadata(self, workflow_id: str, metadata: GeneratedMetadata) -> Commit:
        return await self.world.change(generated(workflow_id, "config.meta.json"), codec.encode(metadata))

    async def write_generated_credentials(self, workflow_id: str, data: bytes) -> Commit:
        return await self.world.change(generated(workflow_id, "credentials.json"), data)

    async def generated_credentials(self, workflow_id: str) -> FileReading:
        await Step(Call("read generated credentials"))
        data = self.world.files.get(generated(workflow_id, "credentials.json"))
        return Absent() if data is None else Content(data=data, revision=sha256(data))

    async def generated_config(self, workflow_id: str) -> FileReading:
        await Step(Call("read generated config"))
        data = self.world.files.get(generated(workflow_id, "config.json"))
        return Absent() if data is None else Content(data=data, revision=sha256(data))

    async def generated_metadata(self, workflow_id: str) -> Reading[GeneratedMetadata]:
        await Step(Call("read generated metadata"))
        data = self.world.files.get(generated(workflow_id, "config.meta.json"))
        return Absent() if data is None else read_record(data, GeneratedMetadata)

    async def evidence(self, kind: ArtifactKind, workflow_id: str) -> Evidence:
        await Step(Call(f"look at {kind}"))
        return self._evidence(kind, workflow_id)

    async def remove(self, kind: ArtifactKind, workflow_id: str) -> bool:
        await Step(Call(f"remove {kind}"))
        evidence = self._evidence(kind, workflow_id)
        if evidence is not Evidence.OURS:
            return evidence is Evidence.ABSENT
        for name in self._names(kind, workflow_id):
            del self.world.files[name]
        await Step(Durable(str(kind)))
        return True

    def _names(self, kind: ArtifactKind, workflow_id: str) -> tuple[str, ...]:
        wanted = {
            ArtifactKind.WORKFLOW_DIRECTORY: generated(workflow_id, "").removesuffix("generated/"),
            ArtifactKind.GENERATED_CONFIG: generated(workflow_id, "config.json"),
            ArtifactKind.GENERATED_METADATA: generated(workflow_id, "config.meta.json"),
            ArtifactKind.LEGACY_GENERATED_CONFIG: "generated/config.json",
            ArtifactKind.LEGACY_GENERATED_METADATA: "generated/config.meta.json",
            ArtifactKind.DEPLOYMENT_MARKER: MARKER,
        }[kind]
        return tuple(name for name in self.world.files if name == wanted or name.startswith(f"{wanted}generated/"))

    def _evidence(self, kind: ArtifactKind, workflow_id: str) -> Evidence:
        if not self._names(kind, workflow_id):
            return Evidence.ABSENT
        match kind:
            case ArtifactKind.DEPLOYMENT_MARKER:
                return _named(read_record(self.world.files[MARKER], DeploymentMarker), workflow_id)
            case ArtifactKind.LEGACY_GENERATED_CONFIG | ArtifactKind.LEGACY_GENERATED_METADATA:
                sidecar = self.world.files.get("generated/config.meta.json")
                reading = Absent() if sidecar is None else read_record(sidecar, GeneratedMetadata)
                return _named(reading, workflow_id)
            case _:
                return Evidence.OURS


def generated(workflow_id: str, name: str) -> str:
    """Name a generated file."""
    return f"workflows/guided-setup/{workflow_id}/generated/{name}"


def _named(reading: Reading[DeploymentMarker] | Reading[GeneratedMetadata], workflow_id: str) -> Evidence:
    match reading:
        case Present(record=record):
            ours = record.owner == OWNER and record.workflow_id == workflow_id
            return Evidence.OURS if ours else Evidence.FOREIGN
        case Absent():
            return Evidence.FOREIGN
        case Unreadable():
            return Evidence.UNREADABLE


@define
class MemoryInstallation:
    """The install root of a world. Mutable: a test may take a directory away."""

    world: World
    stack_file: str = "/stack.json"
    verdict: DirectoryVerdict | None = None
    foreign: DirectoryVerdict | None = None
    """What somebody else has put there."""
    identity: RuntimeIdentity | None = NOBODY_IN_PARTICULAR

    async def layout(self) -> Layout:
        await Step(Call("layout"))
        names = {"standard_config": CONFIG, "legacy_config": "/config.json", "stack_file": self.stack_file}
        found = {key: self.world.files.get(name) for key, name in names.items()}
        return Layout(
            root_config=found["legacy_config"] is not None,
            standard_config=found["standard_config"] is not None,
            stack_file=found["stack_file"] is not None,
            digests=tuple((key, None if data is None else sha256(data)) for key, data in found.items()),
        )

    async def legacy_config(self) -> FileReading:
        await Step(Call("read the config of the old layout"))
        return content(self.world.files.get("/config.json"))

    async def runtime_identity(self) -> RuntimeIdentity | None:
        await Step(Call("runtime identity"))
        return self.identity

    async def workspace(self) -> Commit:
        await Step(Call("workspace"))
        self.world.folders |= {"/config", "/data"}
        await Step(Durable("workspace"))
        return Committed()

    async def workspace_exists(self) -> bool:
        await Step(Call("workspace exists"))
        return self.world.folders >= {"/config", "/data"}

    async def repair_permissions(self, identity: RuntimeIdentity) -> tuple[str, ...] | DirectoryVerdict:
        await Step(Call("repair permissions"))
        if self.foreign is not None:
            return self.foreign
        mended, self.world.damaged = tuple(sorted(self.world.damaged)), set()
        await Step(Durable("permissions"))
        return mended

    async def not_writable(self) -> DirectoryVerdict | None:
        await Step(Call("not writable"))
        return self.verdict

    async def free_bytes(self) -> int | None:
        await Step(Call("free bytes"))
        return 1 << 30


@frozen
class MemoryPasswords:
    """The password of a world, as it is: nobody else is there to read it."""

    world: World

    async def state(self) -> PasswordFile:
        await Step(Call("password state"))
        return PasswordFile.CONFIGURED if "/config/admin-auth.json" in self.world.files else PasswordFile.ABSENT

    async def create(self, password: str) -> Commit | None:
        if await self.state() is not PasswordFile.ABSENT:
            return None
        return await self.world.change("/config/admin-auth.json", password.encode())

    async def verify(self, password: str) -> bool:
        await Step(Call("verify password"))
        return self.world.files.get("/config/admin-auth.json") == password.encode()
