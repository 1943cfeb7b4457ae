"""The world outside the site: an engine that runs one EMS, and a source that offers one build.

What runs survives a power cut of the Admin, as a real child process does.
"""

from __future__ import annotations

from datetime import timedelta

from attrs import define, evolve, field, frozen

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.records.build import CatalogueEntry, Manifest, OwnIdentity, Stack
from ems_admin.machines.records.installed import DeployedImage, EngineKind
from ems_admin.workflows.ports.builds import BuildFailure, Examined, Resources
from ems_admin.workflows.ports.engine import (
    Activity,
    ContainerConflict,
    Deployment,
    Done,
    EngineFailure,
    EngineStatus,
    Progress,
    Report,
)
from ems_admin.workflows.ports.services import (
    Health,
    NotSeen,
    Observation,
    Seen,
    SeenService,
    ServiceContainer,
    ServiceState,
)
from tests.memory.world import Call, Durable, Step, World

RUNNING = "/running-ems"
"""A file of the world that stands for the process: its content is the digest that runs."""
STOPPED = "/stopped-ems"
"""The same of an EMS that a person has stopped."""
STACK_FILE = "/stack.json"
FILES = {ServiceState.RUNNING: RUNNING, ServiceState.STOPPED: STOPPED}
UNSEEN = NotSeen(code=Code.SERVICE_MANAGER_UNREACHABLE)


@define(kw_only=True)
class MemoryEngine:
    """An engine whose answers can be chosen. Mutable for that."""

    world: World
    fails: dict[str, EngineFailure] = field(factory=dict)
    """By step: fetch, start, settle, probe."""
    conflicts: list[ContainerConflict] = field(factory=list)
    only_by_name: list[ContainerConflict] = field(factory=list)
    """Found by who names them, while no service needs their names."""
    pruned: list[frozenset[str]] = field(factory=list)
    """The builds whose programs were to stay, each time."""
    lost: set[str] = field(factory=set)
    """Builds whose programs somebody has cleared away."""
    reachable: bool = True
    replacement: Activity = Activity.INACTIVE

    @property
    def kind(self) -> EngineKind:
        return EngineKind.NATIVE

    async def status(self) -> EngineStatus:
        await Step(Call("engine status"))
        code = None if self.reachable else Code.SERVICE_MANAGER_UNREACHABLE
        return EngineStatus(kind=self.kind, ready=self.reachable, code=code)

    async def adopt(self) -> Done | EngineFailure:
        await Step(Call("engine adopt"))
        return Done()

    async def fetch(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        return await self._do("fetch", report)

    def images(self, deployment: Deployment) -> tuple[DeployedImage, ...]:
        digest = deployment.manifest.programs["ems"].sha256
        return (DeployedImage(service="ems", image=None, digest=digest),)

    async def write_stack(self, deployment: Deployment) -> Done | EngineFailure:
        await self.world.change(STACK_FILE, deployment.manifest.build_id.encode())
        return Done()

    async def start(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        outcome = await self._do("start", report)
        if isinstance(outcome, Done):
            self.world.files.pop(STOPPED, None)
            self.world.files[RUNNING] = deployment.manifest.programs["ems"].sha256.encode()
            await Step(Durable("the EMS runs"))
        return outcome

    async def settle(self, window: timedelta, report: Report) -> Done | EngineFailure:
        return await self._do("settle", report)

    async def probe(self, *, dashboard: bool, report: Report) -> Done | EngineFailure:
        return await self._do("probe", report)

    async def stop(self, report: Report) -> Done | EngineFailure:
        if self.world.files.pop(RUNNING, None) is not None:  # what a person has stopped stays noted
            await Step(Durable("the EMS is down"))
        return Done()

    async def observe(self) -> Observation:
        await Step(Call("engine observe"))
        if not self.reachable:
            return UNSEEN
        rows = {state: self.world.files.get(file) for state, file in FILES.items()}
        return Seen(services=tuple(_seen(digest.decode(), state) for state, digest in rows.items() if digest))

    async def present(self, deployment: Deployment) -> bool | NotSeen:
        await Step(Call("engine present"))
        return deployment.manifest.build_id not in self.lost if self.reachable else UNSEEN

    async def containers(self) -> tuple[ServiceContainer, ...] | NotSeen:
        observation = await self.observe()
        if isinstance(observation, NotSeen):
            return observation
        return tuple(_container(seen) for seen in observation.services)

    async def control(self, service: str, action: ContainerAction, report: Report) -> Done | EngineFailure:
        outcome = await self._do("control", report)
        digest = self.world.files.get(RUNNING) or self.world.files.get(STOPPED)
        if isinstance(outcome, EngineFailure) or digest is None:
            return outcome if digest else EngineFailure(code=Code.EMS_NOT_RUNNING, detail=service)
        down = action is ContainerAction.STOP
        self.world.files.pop(RUNNING if down else STOPPED, None)
        self.world.files[STOPPED if down else RUNNING] = digest
        await Step(Durable(f"the EMS has met a {action}"))
        return outcome

    async def conflict(self, container_name: str | None) -> ContainerConflict | NotSeen | None:
        await Step(Call("engine conflict"))
        if not self.reachable:
            return UNSEEN
        named = [seen for seen in self.only_by_name if seen.container_name == container_name]
        found = [seen for seen in self.conflicts if container_name in {None, seen.container_name}]
        return next(iter(found + named), None)

    async def clear_conflict(self, conflict: ContainerConflict, *, replace: bool) -> Done | EngineFailure:
        await Step(Call("engine clear conflict"))
        self.conflicts.remove(conflict)
        return Done()

    async def prune(self, builds: frozenset[str]) -> None:
        await Step(Call("engine prune"))
        self.pruned.append(builds)

    async def logs(self, service: str, lines: int) -> tuple[str, ...]:
        return ()

    async def replacement_activity(self, operation_id: str | None) -> Activity:
        await Step(Call("engine replacement activity"))
        return self.replacement

    async def _do(self, step: str, report: Report) -> Done | EngineFailure:
        await Step(Call(f"engine {step}"))
        report(Progress(step=step))
        return self.fails.pop(step, Done())


@frozen(kw_only=True)
class MemoryBuilds:
    """A source with one build. Whether it was imported is a file of the world."""

    world: World
    entry: CatalogueEntry
    build: Resources
    identity: OwnIdentity

    async def offered(self) -> tuple[CatalogueEntry, ...] | BuildFailure:
        await Step(Call("builds offered"))
        return (self.entry,)

    async def resolve(self, tag: str) -> Manifest | BuildFailure:
        await Step(Call("builds resolve"))
        return self.build.manifest if tag == self.entry.tag else BuildFailure(code=Code.SYSTEM_BUILD_UNKNOWN)

    async def examine(self, tag: str) -> Examined | BuildFailure:
        await Step(Call("builds examine"))
        if tag != self.entry.tag:
            return BuildFailure(code=Code.SYSTEM_BUILD_UNKNOWN)
        size = len(codec.encode(self.build.manifest))
        return Examined(resources=self.build, archive_bytes=self.entry.archive.bytes, unpacked_bytes=size)

    async def import_build(self, tag: str, report: Report) -> Manifest | BuildFailure:
        report(Progress(step="download"))
        report(Progress(step="unpack"))
        await self.world.change(f"releases/{tag}/manifest.json", codec.encode(self.build.manifest))
        return self.build.manifest

    async def resources(self, tag: str) -> Resources | BuildFailure:
        await Step(Call("builds resources"))
        imported = self.world.files.get(f"releases/{tag}/manifest.json")
        if imported is None:
            return BuildFailure(code=Code.RELEASE_NOT_PREPARED)
        try:
            manifest = codec.decode(imported, Manifest)
        except codec.DecodeError:
            return BuildFailure(code=Code.SYSTEM_BUILD_RESOURCES_INVALID)
        # An older build differs in its digests alone.
        return evolve(self.build, manifest=manifest)

    async def prune(self, keep: frozenset[str], *, spare: int = 0) -> frozenset[str] | None:
        await Step(Call("builds prune"))
        imported = [name.split("/")[1] for name in self.world.files if name.startswith("releases/")]
        staying = {*keep, *[tag for tag in imported if tag not in keep][-spare:]} if spare else set(keep)
        for tag in set(imported) - staying:
            await self.world.change(f"releases/{tag}/manifest.json", None)
        return frozenset(tag.removeprefix("v") for tag in imported if tag in staying)


def empty_stack() -> Stack:
    """Give a stack without services: what runs is the engine's own business here."""
    return Stack(format_version=1, services=())


def _container(seen: SeenService) -> ServiceContainer:
    return ServiceContainer(
        service=seen.service,
        container=None,
        image=None,
        image_id=seen.digest,
        state=seen.state,
        health=seen.health,
        started_at=None,
        ours=True,
        protected=False,
    )


def _seen(digest: str, state: ServiceState) -> SeenService:
    return SeenService(
        service="ems",
        state=state,
        health=Health.HEALTHY if state is ServiceState.RUNNING else Health.UNKNOWN,
        build_id="1.0.0",
        digest=digest,
        image=None,
        url="http://127.0.0.1:1",
        dashboard_url="http://127.0.0.1:1/",
        started_at=None,
        exit_code=None,
    )
