"""A site in memory with a person before it: walked to any place of Guided Setup, cut, started again, and compared."""

# long because: the person, the process and the world are one story, told by one object

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from attrs import define, evolve, field

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Mode, Stage, Transition
from ems_admin.workflows import startup
from ems_admin.workflows.alignment import resume as resuming
from ems_admin.workflows.arbiter.start_path import Choice, StartPath, start_path
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.draft import Draft
from ems_admin.workflows.config.mutation import Applied, MutationRequest, Written, apply, write
from ems_admin.workflows.config.preview import Previewed, preview
from ems_admin.workflows.deployment.prepare import prepare
from ems_admin.workflows.deployment.start import start
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import NotCommitted, RefusalError, Unprovable
from ems_admin.workflows.setup import system_build
from ems_admin.workflows.setup.abandon import abandon
from ems_admin.workflows.setup.ending import Ended
from tests.memory.house import CALLER, TAG, example_draft, house
from tests.memory.outside import MemoryEngine
from tests.memory.site import MemorySite
from tests.memory.world import Blocked, Durable, Fault, Mark

T = TypeVar("T")

B0 = "state/guided-setup-workflow.json"
B1 = "state/pending-transition.json"
B3 = "state/.admin-deployment.json"
B4 = "state/selected-release.json"
B5 = "state/known-good-system-build.json"
B6 = "state/guided-upgrade-context.json"
B2 = "config.json"
B2A = "config.meta.json"
INTENT = "state/config-commit.json"
CONFIG = "/config/config.json"
CREDENTIALS = "/config/credentials.json"
KEPT = ".kept"

FULL_DISK = NotCommitted(code=Code.STATE_WRITE_FAILED, detail="no space left on device")
UNPROVABLE = Unprovable()


PROCESSES: list[Scene] = []
"""Every process of this test, to be let go of at its end."""


class PowerCut(BaseException):
    """The process is gone. Nothing of it may go on."""


@define
class Scene:
    """One process over one world, and what its person has been given so far. Mutable: the story goes on."""

    site: MemorySite = field(factory=MemorySite)
    house: House = field(init=False)
    workflow_id: str | None = None
    intent_id: str | None = None
    spare_intent_id: str | None = None
    preview_id: str | None = None
    draft: Draft = field(factory=example_draft)
    caller: Caller = CALLER
    durable: list[str] = field(factory=list)
    """Every durable step since the scene began, by name."""
    cut_after: int | None = None
    """The number of the durable step after which the power goes."""

    def __attrs_post_init__(self) -> None:
        PROCESSES.append(self)

    @house.default
    def _house(self) -> House:
        return house(self.site)

    # The person

    def open(self, *, confirm: bool = False) -> StartPath:
        """Go through the first door, and keep what is given there."""
        path = self.do(start_path(self.house, self.caller, Choice.SETUP_NEW, confirm=confirm))
        self.workflow_id, self.intent_id = path.setup_workflow_id, path.setup_intent_id
        return path

    def fetch(self, **changes: Any) -> Job:
        """Choose the build, and let its job run to the end."""
        return self.job(self.fetching(**changes))

    def fetching(self, **changes: Any) -> Coroutine[Any, Any, Job]:
        """Choose the build."""
        row = changes.pop("row", system_build.PREPARE)
        asked = {
            "tag": TAG,
            "workflow_id": self.workflow_id,
            "intent_id": self.intent_id,
            "mode": Mode.FRESH_INSTALL,
        } | changes
        return system_build.prepare_build(self.house, self.caller, row, **asked)

    def review(self, draft: Draft | None = None) -> Previewed:
        """Look at the draft, and keep the preview."""
        self.draft = draft or self.draft
        shown = self.do(preview(self.house, self.caller, self.draft, self.workflow_id))
        self.preview_id = shown.config_preview_id
        return shown

    def request(self, **changes: Any) -> MutationRequest:
        """Present the draft with its preview."""
        asked = {
            "draft": self.draft,
            "workflow_id": self.workflow_id,
            "preview_id": self.preview_id,
            "overwrite": False,
        } | changes
        return MutationRequest(**asked)

    def writing(self, **changes: Any) -> Coroutine[Any, Any, Written]:
        return write(self.house, self.caller, self.request(**changes))

    def applying(self, **changes: Any) -> Coroutine[Any, Any, Applied]:
        return apply(self.house, self.caller, self.request(**changes))

    def preparing(self, *, overwrite: bool = False, **changes: Any) -> Coroutine[Any, Any, Job]:
        return prepare(self.house, self.caller, changes.get("workflow_id", self.workflow_id), overwrite=overwrite)

    def starting(self, **changes: Any) -> Coroutine[Any, Any, Job]:
        return start(self.house, self.caller, changes.get("workflow_id", self.workflow_id))

    def abandoning(self, **changes: Any) -> Coroutine[Any, Any, Ended]:
        return abandon(self.house, self.caller, changes.get("workflow_id", self.workflow_id))

    def resuming(self, *, operation_id: str | None = None) -> Coroutine[Any, Any, Any]:
        return resuming.resume(self.house, self.caller, operation_id or self.transition.operation_id)

    # The process

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end; whoever waits for a task lets the tasks go on."""
        try:
            while True:
                self._past(work.send(None), work)
        except StopIteration as end:
            result: T = end.value
            return result

    def refused(self, work: Coroutine[Any, Any, Any]) -> Refusal:
        """Run to the refusal."""
        try:
            got = self.do(work)
        except RefusalError as refused:
            return refused.refusal
        raise AssertionError(f"not refused, but {got}")

    def job(self, work: Coroutine[Any, Any, Job]) -> Job:
        """Run the request, and then its job to the end."""
        job = self.do(work)
        self.finish()
        return job

    def finish(self) -> None:
        """Let every task run to its end. What a task raises beyond refusals comes out here."""
        self._run_tasks()
        for task in self.site.tasks.started:
            if task.error is not None:
                raise task.error

    def until(self, work: Coroutine[Any, Any, Any], place: Callable[[Mark], bool]) -> None:
        """Run until a place, and leave the work there."""
        while not place(mark := work.send(None)):
            self._past(mark, work)

    def restart(self, *, start_up: bool = True) -> Scene:
        """Take the power away and start again on what was durable; the person has kept what was given."""
        site = evolve(self.site, world=self.site.world.after_power_cut())
        site = MemorySite(world=site.world, clock=self.site.clock, ids=self.site.ids)
        after = Scene(
            site=site,
            workflow_id=self.workflow_id,
            preview_id=self.preview_id,
            draft=self.draft,
            caller=self.caller,
        )
        if start_up:
            after.house.startup.passed = False
            after.do(startup.start_up(after.house))
        return after

    def fail(
        self,
        name: str,
        outcome: NotCommitted | Unprovable = FULL_DISK,
        *,
        lands: bool = False,
        lasting: bool = False,
    ) -> None:
        """Let the next commit of a file come to this, or every one until that is cleared."""
        self.site.world.faults[name] = Fault(outcome=outcome, lands=lands, lasting=lasting)

    def let_go(self) -> None:
        """Drop the process, work and all. What was started and never stepped would complain otherwise."""
        for task in self.site.tasks.running:
            if inspect.getcoroutinestate(task.work) == inspect.CORO_CREATED:
                task.step()
            task.work.close()
        self.site.tasks.started.clear()

    @property
    def engine(self) -> MemoryEngine:
        engine = self.house.engine
        assert isinstance(engine, MemoryEngine)
        return engine

    # The world

    @property
    def files(self) -> dict[str, bytes]:
        """Everything durable, as it is now."""
        return dict(self.site.world.files)

    def record(self, name: str, kind: type[T]) -> T:
        """Decode a record from its bytes."""
        return codec.decode(self.site.world.files[name], kind)

    @property
    def setup(self) -> GuidedSetup:
        return self.record(B0, GuidedSetup)

    @property
    def transition(self) -> Transition:
        return self.record(B1, Transition)

    @property
    def stage(self) -> Stage:
        return self.transition.stage

    @property
    def marker(self) -> DeploymentMarker:
        return self.record(B3, DeploymentMarker)

    def put(self, name: str, record: object) -> None:
        """Put a record there as somebody else would."""
        self.site.world.files[name] = codec.encode(record)

    def generated(self, name: str = "config.json") -> bytes | None:
        """Read a generated file of the workflow."""
        return self.site.world.files.get(f"workflows/guided-setup/{self.workflow_id}/generated/{name}")

    def _past(self, mark: Mark, work: Coroutine[Any, Any, Any] | None) -> None:
        if isinstance(mark, Blocked):
            if not self.site.tasks.running:
                message = f"{mark.name} is never free"
                raise RuntimeError(message)
            if mark.name.startswith("task "):
                self._run_tasks(mark.name.removeprefix("task "))
            else:
                self._step(self.site.tasks.running[0])
        if isinstance(mark, Durable):
            self.durable.append(mark.name)
            if self.cut_after == len(self.durable):
                if work is not None:
                    work.close()
                raise PowerCut

    def _run_tasks(self, named: str | None = None) -> None:
        """Run the tasks of a name to their end, or all; nobody else goes on because somebody waits for one."""
        while running := [task for task in self.site.tasks.running if named in {None, task.name}]:
            self._step(running[0])

    def _step(self, task: Any) -> None:
        mark = task.step()
        if mark is None:
            return
        assert not isinstance(mark, Blocked), f"the task waits for {mark.name}, which is never free"
        self._past(mark, None)
