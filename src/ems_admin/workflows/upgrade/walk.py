"""One upgrade under way: whose work it is, how far its records have come, and how its parts report and fail.

Source: `site.md` 3, 9; `http.md` 5.4 (Job); `faults.md` F36, F39.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final, TypeVar

from attrs import define, evolve

from ems_admin.machines.alignment.facts import AgedFacts, OperationFacts
from ems_admin.machines.alignment.outlook import place_of
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.upgrade.course import Part, belongs, next_part
from ems_admin.machines.upgrade.steps import Step
from ems_admin.workflows import standing
from ems_admin.workflows.alignment import health, resources
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import Deployment, Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement import handing_over

T = TypeVar("T")

WORDS: Final = dict((*handing_over.STEPS, *resources.STEPS, *health.STEPS))
"""What people read of the parts of a step, by the name under which each is reported."""
MEASURED: Final = frozenset({"download", "image", "fetch", "settle", "probe"})
"""Those whose percentage is told: one a step, so that it never falls."""


@define(kw_only=True, eq=False)
class Walk:
    """One walk. Mutable: every part leaves the records that the next one goes on from."""

    house: House
    caller: Caller
    entry: WorkEntry
    job: Job
    transition: Transition
    context: UpgradeContext

    async def next_part(self) -> Part:
        """Say what is done next."""
        return await upcoming(self.house, self.transition, self.context)

    @property
    def named(self) -> OperationFacts:
        """The facts of a step that needs no more than the name of the operation."""
        return OperationFacts(now=self.house.clock.now(), operation_id=self.transition.operation_id)

    @property
    def aged(self) -> AgedFacts:
        """The facts of a step that expiry may close."""
        expiry = standing.expiry(self.house, self.transition)
        return AgedFacts(now=self.house.clock.now(), operation_id=self.transition.operation_id, expiry=expiry)

    def begin(self, step: Step) -> Report:
        """Tell that a step has begun, and give the report that takes in what its parts say."""
        self.job.report(Progress(step=step))
        return self.within(step)

    def within(self, step: Step) -> Report:
        """Give a report that tells everything as this one step of the job."""

        def report(progress: Progress) -> None:
            percent = progress.percent if progress.step in MEASURED else None
            detail = progress.detail or WORDS.get(progress.step)
            self.job.report(evolve(progress, step=step, percent=percent, detail=detail))

        return report

    async def attempt(self, work: Awaitable[T]) -> T:
        """Do something whose failure is the operation's. Raises `RefusalError`; B1 then says the same."""
        try:
            return await work
        except RefusalError as refused:
            failed = await self.fail(Code(refused.refusal.code), refused.refusal.detail)
            # What else there is to say, such as the difference to what is live by now, is for whoever sees the job.
            raise RefusalError(failed.refusal.with_detail(failed.refusal.detail, **refused.refusal.more)) from refused

    async def fail(self, code: Code, message: str | None) -> RefusalError:
        """Record a failure in the operation and give the refusal that tells it."""
        return await resources.failed(self.house, self.caller, self.transition, code, message)

    async def deployment(self) -> Deployment:
        """Read what is to run, out of the build as it was imported. Raises `RefusalError`."""
        build = await self.house.builds.resources(self.transition.system_tag)
        if isinstance(build, BuildFailure):
            raise RefusalError(Refusal(build.code, detail=build.detail))
        return Deployment(manifest=build.manifest, stack=build.stack)


async def upcoming(house: House, transition: Transition, context: UpgradeContext) -> Part:
    """Say what is done next of an upgrade, wherever it was left."""
    reading = await house.records.marker.read()
    marker = reading.record if isinstance(reading, Present) else None
    return next_part(transition, context, marker, place_of(transition, standing.running_admin(house)))


async def own_context(house: House, transition: Transition) -> UpgradeContext:
    """Give what this very upgrade has settled. Raises `guided_upgrade_context_unavailable`: nothing is done twice."""
    match await house.records.upgrade.read():
        case Present(record=context) if belongs(context, transition):
            return context
        case Present():
            detail = "another_operation"
        case Absent():
            detail = "absent"
        case unreadable:
            detail = unreadable.fault
    raise RefusalError(Refusal(Code.GUIDED_UPGRADE_CONTEXT_UNAVAILABLE, detail=detail))


def told(outcome: Done | EngineFailure) -> None:
    """Go on only when the engine says that it is so. Raises `RefusalError` with what was said last as the detail."""
    if isinstance(outcome, EngineFailure):
        raise RefusalError(Refusal(outcome.code, detail=outcome.message or outcome.detail))
