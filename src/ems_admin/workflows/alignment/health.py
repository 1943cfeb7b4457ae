"""The health check that ends an operation, and the success that follows it.

Source: `site.md` 3 (Health check), the seam `success`.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from ems_admin.machines.alignment.bringing import ProvenAdmin, known_good_of
from ems_admin.machines.alignment.facts import HEALTHCHECKED, EmsHealth, HealthFacts, RunningEms
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.transition import SETUP_MODES, Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.seams import SUCCESS
from ems_admin.machines.setup.facts import COMPLETE
from ems_admin.machines.setup.facts import OperationFacts as CompletedFacts
from ems_admin.machines.values.digests import known_by
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.pruning import prune
from ems_admin.workflows.alignment.upgrade_context import clear_context
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.preview import document
from ems_admin.workflows.effects import perform
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import Denied, Settled
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.seams import Performers, walk

STEPS: Final = (("probe", "Ask it whether it is well"), ("success", "Remember it as good"))

FAILURES: Final = {
    EmsHealth.IDENTITY_UNVERIFIABLE: Code.EMS_IDENTITY_UNVERIFIABLE,
    EmsHealth.IDENTITY_MISMATCH: Code.EMS_IDENTITY_MISMATCH,
    EmsHealth.UNHEALTHY: Code.HEALTHCHECK_FAILED,
}


async def check_health(
    house: House, caller: Caller, transition: Transition, entry: WorkEntry, report: Report
) -> Transition:
    """Check the EMS of an operation and complete it, or record why not. Raises `RefusalError` for the latter."""
    report(Progress(step="probe", percent=0))
    found, message = await examine(house, transition, report)
    if found is EmsHealth.HEALTHY:
        report(Progress(step="success"))
        await standing.still_accepted(house, entry.workflow_id)
        return await succeed(house, caller, transition, entry)
    facts = HealthFacts(now=house.clock.now(), operation_id=transition.operation_id, health=found, message=message)
    await house.records.transition.decide(HEALTHCHECKED, facts, caller)
    raise RefusalError(Refusal(FAILURES[found], detail=message))


async def examine(house: House, transition: Transition, report: Report) -> tuple[EmsHealth, str | None]:
    """Look which EMS runs, then ask it. The identity comes first: a stranger may well be healthy."""
    match standing.running_ems(await house.engine.observe(), transition.ems_digest):
        case RunningEms.UNKNOWN:
            return EmsHealth.IDENTITY_UNVERIFIABLE, None
        case RunningEms.OTHER:
            return EmsHealth.IDENTITY_MISMATCH, None
        case RunningEms.ABSENT:
            return EmsHealth.UNHEALTHY, "not running"
        case RunningEms.EXACT:
            outcome = await house.engine.probe(dashboard=await _wants_dashboard(house), report=report)
    return _as_health(house, outcome)


async def succeed(house: House, caller: Caller, transition: Transition, entry: WorkEntry) -> Transition:
    """Walk the success seam under the worker's own claim, which becomes the one that completes."""
    completing = house.work.begin_termination(
        WorkKind.COMPLETE,
        workflow_id=entry.workflow_id,
        operation_id=transition.operation_id,
        turns=entry.id,
    )
    success = Success(house=house, caller=caller, transition=transition, workflow_id=entry.workflow_id)
    try:
        await walk(SUCCESS, success.performers)
        await prune(house)  # under the claim: nobody fetches a build meanwhile
    finally:
        house.work.release(completing.id)
    return success.transition


@define(kw_only=True, eq=False)
class Success:
    """One walk. Mutable: it carries the operation through its last step."""

    house: House
    caller: Caller
    transition: Transition
    workflow_id: str | None
    """The workflow that the worker was accepted for: it completes that one, never whichever is stored."""

    @property
    def performers(self) -> Performers:
        """What is done for each step of the seam."""
        return {
            "note_known_good": self.note_known_good,
            "complete_operation": self.complete_operation,
            "complete_workflow": self.complete_workflow,
            "clear_upgrade_context": self.clear_upgrade_context,
            "retire_intents": self.retire_intents,
        }

    async def note_known_good(self) -> None:
        """Write B5 first: a failure here leaves the operation where a resume checks again."""
        transition, house = self.transition, self.house
        build = await house.builds.resources(transition.system_tag)
        async with house.records.known_good.hold() as held:
            before = await held.read()
            good = known_good_of(
                transition,
                _proven_admin(house, transition),
                before=before.record if isinstance(before, Present) else None,
                build=None if isinstance(build, BuildFailure) else build.manifest,
                now=house.clock.now(),
            )
            if isinstance(good, Refusal):
                raise RefusalError(good)
            require(await held.commit(good))

    async def complete_operation(self) -> None:
        """End the operation well."""
        facts = HealthFacts(
            now=self.house.clock.now(),
            operation_id=self.transition.operation_id,
            health=EmsHealth.HEALTHY,
            message=None,
        )
        self.transition = await self.house.records.transition.decide(HEALTHCHECKED, facts, self.caller)

    async def complete_workflow(self) -> None:
        """End the Setup that owns it, if one does."""
        if self.transition.mode in SETUP_MODES:
            await complete_owner(self.house, self.caller, self.transition, self.workflow_id)

    async def clear_upgrade_context(self) -> None:
        """Clear what the operation's own upgrade had settled."""
        await clear_context(self.house, self.transition.operation_id, self.caller)

    async def retire_intents(self) -> None:
        """Retire the confirmations of the workflow that has ended."""
        setup = await self.house.records.setup.current()
        if setup is not None and setup.operation_id == self.transition.operation_id:
            await self.house.intents.retire(self.caller, workflow_id=setup.workflow_id)


async def complete_owner(house: House, caller: Caller, transition: Transition, workflow_id: str | None = None) -> None:
    """Complete the workflow that names a completed operation: the one that a worker carries.

    A start that finds this step cut carries none and takes the stored one, which has to name the operation itself.
    """
    setup = await house.records.setup.current()
    if setup is None:
        return
    meant = workflow_id or setup.workflow_id
    facts = CompletedFacts(now=house.clock.now(), workflow_id=meant, operation_id=transition.operation_id)
    match await house.records.setup.told(COMPLETE, facts, caller):
        case Settled(effects=effects):
            await perform(house, caller, effects)
        case Denied(refusal=refusal):
            raise RefusalError(refusal)


def _proven_admin(house: House, transition: Transition) -> ProvenAdmin:
    """Name the Admin that really ran; where it cannot tell, it was proven to be the one that was meant."""
    own = house.own
    known = known_by(transition.digest_kind, digest=own.digest, image_id=own.image_id) if own else None
    return ProvenAdmin(
        digest=known or transition.admin_digest,
        build_id=own.build_id if own else transition.build_id,
        revision=own.revision if own else transition.revision,
    )


async def _wants_dashboard(house: House) -> bool:
    config = document(await house.config.config()) or {}
    return bool(config.get("features", {}).get("dashboard"))


def _as_health(house: House, outcome: Done | EngineFailure) -> tuple[EmsHealth, str | None]:
    if isinstance(outcome, Done):
        house.warnings.clear(Code.DASHBOARD_UNREACHABLE)
        return EmsHealth.HEALTHY, None
    if outcome.detail == "dashboard":
        house.warnings.show(Code.DASHBOARD_UNREACHABLE)
    return EmsHealth.UNHEALTHY, outcome.detail or outcome.message
