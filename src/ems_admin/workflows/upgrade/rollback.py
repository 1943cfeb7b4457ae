"""The way back of an upgrade whose EMS is not well: config, stack and EMS as they were, where the operator chose that.

The operation stays where it is until the running digest proves what is said of it. So a way back that was cut is taken
again by a resume, from its first step: each of them looks before it acts.

Source: `site.md` 9 (Failure); `faults.md` F24; the seam `upgrade_way_back`.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from ems_admin.machines.alignment.facts import RunningEms
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.history import KeptRevision
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.upgrade.groundwork import TAKE_BACK_MIGRATION, SettledFacts
from ems_admin.machines.upgrade.seams import UPGRADE_WAY_BACK
from ems_admin.machines.upgrade.steps import Step
from ems_admin.machines.values.unasked import ENGINE_UNASKED
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.known_good import known_good_here
from ems_admin.workflows.config.commit import Order, commit_config
from ems_admin.workflows.config.keeping import bytes_of
from ems_admin.workflows.config.preview import revision_of
from ems_admin.workflows.config.settlement import refuse_unsettled
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.engine import Deployment
from ems_admin.workflows.ports.records import JournalLine, RefusalError
from ems_admin.workflows.seams import walk as walk_seam
from ems_admin.workflows.upgrade.deploying import write_down
from ems_admin.workflows.upgrade.groundwork import BACK, FORTH, commit_name, last_written
from ems_admin.workflows.upgrade.walk import Walk, told

UNASKED: Final = ENGINE_UNASKED | {Code.INSTALL_STATE_UNAVAILABLE}
"""What could not be asked proves nothing: the operation stays where it is, and a resume asks again."""


async def roll_back(walk: Walk, code: Code, message: str | None) -> tuple[Code, str | None]:
    """Bring the known-good build back if that was chosen; give the code and the words that tell of the failure.

    Raises `RefusalError` where the engine cannot be asked. A build of which something is gone is
    `known_good_image_missing`, and then nothing was stopped.
    """
    if not walk.context.options.auto_rollback:
        return code, message
    house, good = walk.house, await standing.known_good(walk.house)
    if good is None:
        return code, _words(message, "There is no known-good build to go back to.")
    deployment = await known_good_here(house, good)
    if deployment is None:
        return Code.KNOWN_GOOD_IMAGE_MISSING, _words(message, f"It failed with {code}, and {good.system_tag} is gone.")
    way = _WayBack(walk=walk, good=good, deployment=deployment)
    try:
        await walk_seam(
            UPGRADE_WAY_BACK,
            {
                "take_back_migration": way.take_back_migration,
                "restore_config": way.restore_config,
                "restore_stack": way.restore_stack,
                "start_known_good": way.start_known_good,
            },
        )
    except RefusalError as refused:
        if refused.refusal.code in UNASKED:
            raise
        await _tell(walk, Code(refused.refusal.code))
        return code, _words(message, f"{good.system_tag} could not be brought back: {refused.refusal.code}.")
    await _tell(walk, None)
    return code, _words(message, f"The known-good build {good.system_tag} runs again.")


async def way_back_is_here(house: House) -> None:
    """Look, before anything is stopped, whether the way back that was chosen is there. Raises `RefusalError`.

    `known_good_image_missing` for a build of which something is gone (F24). A site without a known-good build has no
    way back, as its plan has said.
    """
    good = await standing.known_good(house)
    if good is not None and await known_good_here(house, good) is None:
        raise RefusalError(Refusal(Code.KNOWN_GOOD_IMAGE_MISSING, detail=good.system_tag))


@define(kw_only=True, eq=False)
class _WayBack:
    """One way back. Mutable only in the walk that it belongs to."""

    walk: Walk
    good: KnownGood
    deployment: Deployment

    async def take_back_migration(self) -> None:
        """Say first that the config is about to be the old one: the next try migrates it again.

        One that somebody has changed since stays, and what this upgrade did to it stays done: a resume that took it for
        undone could only ever ask for another review.
        """
        if self.walk.context.migration_completed and await self._written_by_us() is not None:
            facts = SettledFacts(operation_id=self.walk.transition.operation_id)
            ledger = self.walk.house.records.upgrade
            self.walk.context = await ledger.decide(TAKE_BACK_MIGRATION, facts, self.walk.caller)

    async def restore_config(self) -> None:
        """Put the config back that this upgrade has replaced; one that somebody else has changed since stays."""
        house, operation_id = self.walk.house, self.walk.transition.operation_id
        await refuse_unsettled(house)
        written = await self._written_by_us()
        if written is None:
            return
        old = await bytes_of(house, written.base)
        if old is None:
            raise RefusalError(Refusal(Code.CONFIG_UNREADABLE, detail="config history"))
        order = Order(
            path=WritePath.UPGRADE_MIGRATION,
            data=old,
            secrets={},
            base_revision=written.revision,
            backup=False,
            commit_id=await commit_name(house, operation_id, BACK),
        )

        async def somebody_else_changed_it() -> None:
            raise RefusalError(Refusal(Code.CONFLICT, detail="config/config.json"))

        await commit_config(house, order, when_stale=somebody_else_changed_it)

    async def _written_by_us(self) -> KeptRevision | None:
        """Give the revision that this upgrade has written, if that is what is live."""
        written, _count = await last_written(self.walk.house, self.walk.transition.operation_id, FORTH)
        live = revision_of(await self.walk.house.config.config())
        return written if written is not None and written.revision == live else None

    async def restore_stack(self) -> None:
        """Write down what is to run again."""
        await write_down(self.walk.house, self.deployment)

    async def start_known_good(self) -> None:
        """Start it, and look whether it is what runs."""
        engine, report = self.walk.house.engine, self.walk.within(self._step)
        told(await engine.start(self.deployment, report))
        told(await engine.settle(self.walk.house.stability, report))
        match standing.running_ems(await engine.observe(), self.good.ems_digest):
            case RunningEms.EXACT:
                return
            case RunningEms.UNKNOWN:
                raise RefusalError(Refusal(Code.INSTALL_STATE_UNAVAILABLE))
            case RunningEms.ABSENT | RunningEms.OTHER:
                raise RefusalError(Refusal(Code.EMS_IDENTITY_MISMATCH))

    @property
    def _step(self) -> Step:
        """The way back is told as a part of the step that failed."""
        step = self.walk.job.step
        return Step(step.key) if step else Step.RECREATE_EMS


async def _tell(walk: Walk, code: Code | None) -> None:
    await walk.house.journal.append(
        JournalLine(
            machine="guided_upgrade",
            key=walk.transition.operation_id,
            trigger="roll_back",
            code=code,
            operation_id=walk.transition.operation_id,
            session=walk.caller.session or walk.caller.token,
        )
    )


def _words(message: str | None, more: str) -> str:
    return f"{message}. {more}" if message else more
