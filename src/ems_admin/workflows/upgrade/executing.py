"""Beginning a Guided Upgrade: the plan that was agreed to, worked out once more, becomes an operation.

What was chosen (B6) is durable before the operation (B1) begins, and the answer is given before anything else is done.
A context whose operation never began is an orphan: safe recovery clears it, and the next upgrade takes its place.

Source: `site.md` 3, 9; `http.md` 5.3 (upgrade/execute); `faults.md` F38, F40; the seam `upgrade_beginning`.
"""

from __future__ import annotations

from typing import Final

from attrs import asdict, define, frozen

from ems_admin.machines.alignment.beside import Beginning, beginning_beside
from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import BeginFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.transition import Mode, Transition
from ems_admin.machines.records.upgrade import UpgradeContext, UpgradeOptions
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.upgrade.groundwork import NOTE_CONTEXT, ContextFacts, named_operation
from ems_admin.machines.upgrade.seams import UPGRADE_BEGINNING
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.beginning import begin, begin_facts
from ems_admin.workflows.alignment.cancelling import cancel_operation
from ems_admin.workflows.alignment.upgrade_context import clear_context
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, person_agreed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.seams import walk
from ems_admin.workflows.upgrade.gate import require_upgrade_open
from ems_admin.workflows.upgrade.plan import Plan, make_plan, require_fit, require_reviewed, require_same_plan
from ems_admin.workflows.upgrade.working import begin_work

# The claim comes before the plan: the same request joins its own work, and what was planned stays as it is.
ROW: Final = AuthorityRow(
    demands=(Demand.CONFIRMATION, Demand.CLAIM, Demand.PLAN, Demand.NO_TRANSITION), claim=WorkKind.GUIDED_UPGRADE
)


@frozen(kw_only=True)
class UpgradeRequest:
    """What was planned, and that it is agreed to."""

    tag: str
    options: UpgradeOptions
    selection_fingerprint: str | None
    migration_revision: str | None
    """Of the migration that was reviewed; means nothing where nothing is to be migrated."""
    plan_fingerprint: str | None
    confirm: bool


async def execute(house: House, caller: Caller, request: UpgradeRequest) -> Job:
    """Begin the upgrade and let a job walk through it. Raises `RefusalError`.

    In this order: `confirmation_required`, whoever holds the site, all that the plan answers (the gate of both phases,
    the build, `upgrade_not_forward`, `system_build_verification_required` and `_stale`), `migration_review_stale`,
    `upgrade_plan_stale`, `validation_failed` for a config that the build would not take, `transition_active`; then
    what a commit answers. An earlier upgrade of its own that has lapsed is cancelled on the way.
    """
    wanted = _Wanted(request=request)
    own = {
        Demand.CONFIRMATION: person_agreed(confirm=request.confirm),
        Demand.PLAN: wanted.is_as_planned,
        Demand.NO_TRANSITION: wanted.nothing_is_in_the_way,
    }
    request_hash = sha256_of({"upgrade": asdict(request)})
    async with under(house, caller, ROW, workflow_id=None, request_hash=request_hash, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        transition, context = await wanted.begin(hold)
        return begin_work(hold, transition, context)


async def rehearse_upgrade(house: House) -> None:
    """Ask all that does not hang on the build that is chosen, and take nothing. Raises `RefusalError`."""
    await standing.require_mutable(house)
    if refusal := house.work.against(WorkKind.GUIDED_UPGRADE):
        raise RefusalError(refusal)
    await require_upgrade_open(house)
    await _in_the_way(house)


@define(kw_only=True, eq=False)
class _Wanted:
    """One upgrade that is to begin. Mutable: the checks fill it."""

    request: UpgradeRequest
    plan: Plan | None = None
    lapsed: Transition | None = None
    """The operation of an earlier upgrade, which this one takes the place of."""

    async def is_as_planned(self, hold: Hold) -> None:
        """Work the plan out once more, and hold what was agreed to against it."""
        request = self.request
        self.plan = await make_plan(hold.house, request.tag, request.options, request.selection_fingerprint)
        require_reviewed(self.plan, request.migration_revision)
        require_same_plan(self.plan, request.plan_fingerprint)
        require_fit(self.plan)

    async def nothing_is_in_the_way(self, hold: Hold) -> None:
        """Look for an operation that is not over."""
        self.lapsed = await _in_the_way(hold.house)

    async def begin(self, hold: Hold) -> tuple[Transition, UpgradeContext]:
        """Make what was chosen durable, and then the operation. Raises `RefusalError`."""
        if self.plan is None:
            raise LookupError("a plan is worked out before it is carried out")
        if self.lapsed is not None:
            await cancel_operation(hold.house, hold.caller, self.lapsed, hold.work)
        beginning = _Beginning(hold=hold, plan=self.plan)
        return await beginning.carry_out()


@define(kw_only=True, eq=False)
class _Beginning:
    """One beginning. Mutable: each step leaves the record that it has written."""

    hold: Hold
    plan: Plan
    context: UpgradeContext | None = None
    transition: Transition | None = None
    facts: BeginFacts | None = None

    async def carry_out(self) -> tuple[Transition, UpgradeContext]:
        """Walk the seam."""
        options = asdict(self.plan.options)
        self.facts = begin_facts(self.hold, self.plan.selection, Mode.GUIDED_UPGRADE, options=options)
        await walk(UPGRADE_BEGINNING, {"note_context": self.note_context, "begin_operation": self.begin_operation})
        if self.transition is None or self.context is None:
            raise LookupError("a seam that was walked has left both records")
        return self.transition, self.context

    async def note_context(self) -> None:
        """Note what was chosen, for the operation that is about to begin."""
        facts, migration, records = self._facts, self.plan.migration, self.hold.house.records
        noted = ContextFacts(
            operation_id=facts.operation_id,
            target_system_tag=facts.system_tag,
            options=self.plan.options,
            request_fingerprint=facts.request_fingerprint,
            migration_required=migration.required,
            migration_revision=migration.revision,
            named_operation=named_operation(await records.upgrade.current(), await records.transition.current()),
        )
        self.context = await records.upgrade.decide(NOTE_CONTEXT, noted, self.hold.caller)

    async def begin_operation(self) -> None:
        """Begin; what provably did not begin takes its context with it."""
        house, caller, facts = self.hold.house, self.hold.caller, self._facts
        house.work.add_operation(self.hold.work, facts.operation_id)
        undo = lambda: clear_context(house, facts.operation_id, caller)  # noqa: E731  # an act, said in one line
        self.transition = await begin(house, caller, facts, undo=undo)

    @property
    def _facts(self) -> BeginFacts:
        if self.facts is None:
            raise LookupError("what an operation is to be is said before it begins")
        return self.facts


async def _in_the_way(house: House) -> Transition | None:
    """Give the upgrade that has lapsed and gives way. Raises `transition_active` for whatever does not."""
    transition = await house.records.transition.current()
    age = standing.expiry(house, transition) if transition is not None else Expiry.FRESH
    match beginning_beside(transition, age, mode=Mode.GUIDED_UPGRADE):
        case Beginning.OPEN:
            return None
        case Beginning.ANEW:
            return transition
        case refused:
            raise RefusalError(Refusal(Code(refused), detail=transition.stage if transition else None))
