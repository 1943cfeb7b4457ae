"""Jobs: work that goes on after its caller was answered, and what people see of it.

A job is a view, never authority: after a restart its id is unknown and the transition tells the truth.
Source: `http.md` 5.4; `faults.md` F38 to F40.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from attrs import define, evolve, field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.work import refusal_beside
from ems_admin.workflows.ports.engine import Progress
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.running import Clock, Events, Task, Tasks
from ems_admin.workflows.work import Arbiter

KEPT: Final = 8
LOG_LINES: Final = 200


class JobStatus(StrEnum):
    """How a job stands."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class StepStatus(StrEnum):
    """How one step of a job stands."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


@frozen(kw_only=True)
class JobStep:
    """One step as a person reads it."""

    key: str
    label: str
    status: StepStatus = StepStatus.PENDING
    detail: str | None = None
    percent: int | None = None


@define(kw_only=True, eq=False)
class Job:
    """One piece of work. Mutable, because its worker reports into it while pages read it."""

    id: str
    kind: str
    workflow_id: str | None
    operation_id: str | None
    steps: tuple[JobStep, ...]
    started_at: datetime
    interruptible: frozenset[str] = frozenset()
    """Keys of the steps during which Stop is possible."""
    status: JobStatus = JobStatus.RUNNING
    reconnect: bool = False
    error: Refusal | None = None
    result: Mapping[str, Any] | None = None
    log: tuple[str, ...] = ()
    finished_at: datetime | None = None
    stop_asked: bool = False
    task: Task | None = None
    changed: Callable[[], None] = field(default=lambda: None, repr=False)

    @property
    def step(self) -> JobStep | None:
        """The step that runs now."""
        return next((step for step in self.steps if step.status is StepStatus.RUNNING), None)

    def report(self, progress: Progress) -> None:
        """Take a report in. A step that the job has not declared is a mistake in the program: `KeyError`."""
        step = {step.key: step for step in self.steps}[progress.step]
        if step.status is not StepStatus.RUNNING:
            self._end_step(StepStatus.SUCCEEDED)
        percent = progress.percent if step.percent is None else max(step.percent, progress.percent or 0)
        self._put(evolve(step, status=StepStatus.RUNNING, percent=percent, detail=progress.detail or step.detail))
        if progress.line:
            self.log = (*self.log, progress.line)[-LOG_LINES:]
        self.changed()

    @property
    def can_stop(self) -> bool:
        """Whether Stop would take effect now."""
        return bool(self.task and self.step and self.step.key in self.interruptible)

    def end(self, at: datetime, error: Refusal | None = None) -> None:
        """Close the job: the running step shares its fate."""
        self._end_step(StepStatus.FAILED if error else StepStatus.SUCCEEDED)
        self.error, self.finished_at = error, at
        self.status = JobStatus.FAILED if error else JobStatus.SUCCEEDED
        self.changed()

    def _end_step(self, status: StepStatus) -> None:
        if step := self.step:
            percent = 100 if step.percent is not None and status is StepStatus.SUCCEEDED else step.percent
            self._put(evolve(step, status=status, percent=percent))

    def _put(self, step: JobStep) -> None:
        self.steps = tuple(step if old.key == step.key else old for old in self.steps)


@define(kw_only=True, eq=False)
class Jobs:
    """The jobs of this process, newest last. Mutable: it is the memory of what runs."""

    clock: Clock
    tasks: Tasks
    events: Events
    work: Arbiter
    jobs: tuple[Job, ...] = ()

    def open(  # noqa: PLR0913  # these are the words of a job
        self,
        *,
        job_id: str,
        kind: str,
        steps: tuple[tuple[str, str], ...],
        workflow_id: str | None = None,
        operation_id: str | None = None,
        interruptible: frozenset[str] = frozenset(),
        settled: frozenset[str] = frozenset(),
    ) -> Job:
        """Open a job with its steps as (key, label), in the order in which they will run; `settled` ones are done."""
        job = Job(
            id=job_id,
            kind=kind,
            workflow_id=workflow_id,
            operation_id=operation_id,
            steps=tuple(_step(key, label, done=key in settled) for key, label in steps),
            started_at=self.clock.now(),
            interruptible=interruptible,
            changed=lambda: self.events.publish("jobs"),
        )
        running = tuple(j for j in self.jobs if j.status is JobStatus.RUNNING)
        ended = tuple(j for j in self.jobs if j.status is not JobStatus.RUNNING)
        self.jobs = (*ended[-(KEPT - 1) :], *running, job)
        job.changed()
        return job

    def run(self, job: Job, work: Awaitable[None], release: Callable[[], None]) -> None:
        """Let `work` go on by itself; whatever becomes of it, the job ends and `release` is called."""
        job.task = self.tasks.start(f"{job.kind} {job.id}", self._to_the_end(job, work, release))

    async def _to_the_end(self, job: Job, work: Awaitable[None], release: Callable[[], None]) -> None:
        error: Refusal | None = Refusal(Code.INTERNAL_ERROR)
        try:
            await work
            error = None
        except RefusalError as refused:
            error = refused.refusal
        finally:
            # Also for a fault of the program, which the owner of the task logs: nothing may look as if it still ran.
            release()
            job.end(self.clock.now(), Refusal(Code.JOB_CANCELLED) if error and job.stop_asked else error)

    def find(self, job_id: str) -> Job | None:
        """Find a job of this process."""
        return next((job for job in self.jobs if job.id == job_id), None)

    async def of(self, entry: WorkEntry) -> Job:
        """Give the job of running work that a second request has joined, as soon as its first step is known.

        Raises `RefusalError` that names the work when it ended without a job: then there is nothing to join.
        """
        while (job := self.find(entry.id)) is None:
            if not self.work.holds(entry.id):
                raise RefusalError(Refusal(refusal_beside(entry), more={"operation": entry.kind}))
            await self.clock.sleep(timedelta(milliseconds=50))
        return job

    def latest(self, *kinds: str) -> Job | None:
        """Give the newest job of these kinds."""
        return next((job for job in reversed(self.jobs) if job.kind in kinds), None)

    def stop(self, job_id: str) -> Job:
        """Ask a job to stop. Raises `RefusalError` with `not_found` or `job_not_cancellable`."""
        job = self.find(job_id)
        if job is None:
            raise RefusalError(Refusal(Code.NOT_FOUND))
        if job.status is not JobStatus.RUNNING or job.task is None or not job.can_stop:
            raise RefusalError(Refusal(Code.JOB_NOT_CANCELLABLE, more={"operation": job.kind}))
        # The step is still the interruptible one: nothing else has run since it was looked at.
        job.stop_asked = True
        job.task.cancel()
        return job


def _step(key: str, label: str, *, done: bool) -> JobStep:
    return JobStep(key=key, label=label, status=StepStatus.SUCCEEDED if done else StepStatus.PENDING)
