"""The resources of a build: imported and verified under the operation's claim, by whoever is allowed to.

Source: `site.md` 3 (claim_resource_verification), `seed 000` 5.3 (a claimed import is external work).
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.bringing import has_the_ems, is_meant
from ems_admin.machines.alignment.facts import (
    CLAIM_RESOURCE_VERIFICATION,
    MARK_FAILED,
    RESOURCES_VERIFIED,
    FailureFacts,
    OperationFacts,
    ResourceClaimFacts,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.records.installed import SelectedRelease
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import Progress, Report
from ems_admin.workflows.ports.records import RefusalError

STEPS: Final = (
    ("download", "Fetch the build"),
    ("unpack", "Unpack it and check every file"),
    ("select", "Remember the build"),
)
"""The steps of a job that verifies resources, as (key, label)."""
INTERRUPTIBLE: Final = frozenset({"download", "unpack"})


async def verify_resources(
    house: House, caller: Caller, transition: Transition, entry: WorkEntry, report: Report
) -> Transition:
    """Import the build under the claim and note that it is verified. Raises `RefusalError`.

    What goes wrong with the build is recorded in the operation, so that it is told after a restart too.
    """
    claimed = await claim(house, caller, transition, entry)
    report(Progress(step="download", detail=claimed.system_tag))
    imported = await house.builds.import_build(claimed.system_tag, report)
    if isinstance(imported, BuildFailure):
        raise await failed(house, caller, claimed, imported.code, imported.detail)
    if not is_meant(imported, claimed):
        raise await failed(house, caller, claimed, Code.SYSTEM_BUILD_MISMATCH, "the build has changed")
    report(Progress(step="select"))
    await standing.still_accepted(house, entry.workflow_id)
    if has_the_ems(imported, claimed):
        await remember(house, claimed.system_tag)
    facts = OperationFacts(now=house.clock.now(), operation_id=claimed.operation_id)
    return await house.records.transition.decide(RESOURCES_VERIFIED, facts, caller)


async def claim(house: House, caller: Caller, transition: Transition, entry: WorkEntry) -> Transition:
    """Take the durable claim of the import; a claim that no live work holds is taken over."""
    facts = _claim_facts(house, transition, entry)
    return await house.records.transition.decide(CLAIM_RESOURCE_VERIFICATION, facts, caller)


def may_claim(house: House, transition: Transition, entry: WorkEntry | None) -> None:
    """Ask the machine whether the claim would be taken, before a job is opened for it. Raises `RefusalError`."""
    facts = _claim_facts(house, transition, entry)
    decision = SYSTEM_ALIGNMENT.decide(transition, CLAIM_RESOURCE_VERIFICATION, facts)
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal.with_detail(transition.stage))


def _claim_facts(house: House, transition: Transition, entry: WorkEntry | None) -> ResourceClaimFacts:
    return ResourceClaimFacts(
        now=house.clock.now(),
        operation_id=transition.operation_id,
        expiry=standing.expiry(house, transition),
        import_is_live=house.work.names(transition.operation_id, but=entry.id if entry else None),
    )


async def remember(house: House, tag: str) -> None:
    """Note the release that was fetched last (B4). Raises `RefusalError` when that cannot be made durable."""
    async with house.records.selected_release.hold() as held:
        require(await held.commit(SelectedRelease(tag=tag, source="catalogue")))


async def failed(house: House, caller: Caller, transition: Transition, code: Code, message: str | None) -> RefusalError:
    """Record a failure in the operation and give the refusal that tells it."""
    facts = FailureFacts(now=house.clock.now(), operation_id=transition.operation_id, code=code, message=message)
    await house.records.transition.decide(MARK_FAILED, facts, caller)
    return RefusalError(Refusal(code, detail=message))
