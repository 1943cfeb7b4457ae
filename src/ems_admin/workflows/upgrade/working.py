"""The worker of an upgrade: what its course names next is done, until another Admin goes on or nothing is left.

Source: `site.md` 9; `http.md` 5.3, 5.5; `replacement.md` 7.2, 7.7.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from ems_admin.machines.alignment.facts import RESUME_AFTER_ADMIN_RECONNECT
from ems_admin.machines.alignment.outlook import has_failed, is_handed_over
from ems_admin.machines.records.transition import Stage, Transition
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.machines.upgrade.course import Part
from ems_admin.machines.upgrade.steps import Step, StepStanding, steps_as_they_stand
from ems_admin.workflows.alignment import resources
from ems_admin.workflows.alignment.proving import reconnect_facts
from ems_admin.workflows.alignment.retry import retry
from ems_admin.workflows.authority import Hold
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.engine import Progress
from ems_admin.workflows.replacement import handing_over
from ems_admin.workflows.sight import sight
from ems_admin.workflows.upgrade import groundwork, replacing_ems
from ems_admin.workflows.upgrade.walk import Walk

INTERRUPTIBLE: Final = frozenset({Step.ADMIN, Step.RESOURCES, Step.PULL})
"""During these a stop leaves everything as it is, and a resume does them again."""
TO_THE_END: Final[frozenset[Stage]] = frozenset()


def begin_work(
    hold: Hold, transition: Transition, context: UpgradeContext, *, until: frozenset[Stage] = TO_THE_END
) -> Job:
    """Let a job walk on under the claim that `hold` has; the claim goes over to it.

    `until` names the stages at which somebody else goes on. What is settled already is shown as done.
    """
    shown = steps_as_they_stand(transition, context)
    job = hold.house.jobs.open(
        job_id=hold.work.id,
        kind=hold.work.kind,
        steps=tuple((str(view.key), view.label) for view in shown),
        operation_id=transition.operation_id,
        interruptible=frozenset(map(str, INTERRUPTIBLE)),
        settled=frozenset(str(view.key) for view in shown if view.standing is StepStanding.SETTLED),
    )
    job.reconnect = is_handed_over(transition)
    walk = Walk(
        house=hold.house,
        caller=hold.caller,
        entry=hold.work,
        job=job,
        transition=transition,
        context=context,
    )
    hold.house.jobs.run(job, _walk_on(walk, until), hold.hand_over())
    return job


async def _walk_on(walk: Walk, until: frozenset[Stage]) -> None:
    while walk.transition.stage not in until:
        performer = PERFORMERS.get(await walk.next_part())
        if performer is None:
            return
        await performer(walk)


async def update_admin(walk: Walk) -> None:
    """Prepare the new Admin and hand over to it; who serves after that goes on."""

    def report(progress: Progress) -> None:
        walk.within(Step.HANDOVER if progress.step == "launch" else Step.ADMIN)(progress)

    await handing_over.hand_over(
        walk.house,
        walk.caller,
        walk.transition,
        walk.entry,
        walk.job,
        retrying=has_failed(walk.transition),
        report=report,
    )
    walk.transition = await walk.house.records.transition.current() or walk.transition


async def prove_admin(walk: Walk) -> None:
    """Prove that this Admin is the one that was waited for."""
    walk.begin(Step.HANDOVER)
    facts = reconnect_facts(walk.house, walk.transition, await sight(walk.house, walk.transition))
    ledger = walk.house.records.transition
    walk.transition = await ledger.decide(RESUME_AFTER_ADMIN_RECONNECT, facts, walk.caller)
    walk.job.reconnect = False


async def fetch_build(walk: Walk) -> None:
    """Import the build and verify it, under the operation's own claim."""
    report = walk.begin(Step.RESOURCES)
    walk.transition = await resources.verify_resources(walk.house, walk.caller, walk.transition, walk.entry, report)


async def take_retry_edge(walk: Walk) -> None:
    """Go back to the stage at which it failed."""
    walk.transition = await retry(walk.house, walk.caller, walk.transition)


PERFORMERS: Final[Mapping[Part, Callable[[Walk], Awaitable[None]]]] = {
    Part.BACK_UP: groundwork.back_up,
    Part.MIGRATE: groundwork.migrate,
    Part.UPDATE_ADMIN: update_admin,
    Part.PROVE_ADMIN: prove_admin,
    Part.FETCH_BUILD: fetch_build,
    Part.MAKE_READY: replacing_ems.make_ready,
    Part.REPLACE_EMS: replacing_ems.replace_ems,
    Part.RECOVER_EMS: replacing_ems.recover_ems,
    Part.CHECK_HEALTH: replacing_ems.check_health,
    Part.GO_BACK_FROM_START: replacing_ems.go_back_from_start,
    Part.GO_BACK_FROM_CHECK: replacing_ems.go_back_from_check,
    Part.RETRY: take_retry_edge,
}
"""The others end the walk: it is over, or another Admin goes on."""
