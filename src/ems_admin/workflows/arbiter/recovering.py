"""Recovery: the way out of a state that nothing else leads out of, by normal ends where they can end it.

It stays open while the start-up check has not passed: what keeps the check from passing may be what is recovered.
Source: `seed 000` 7.4; `http.md` 5.4 (Recovery preview); `faults.md` F11, F45.
"""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.recovery import REACH, Mode, Reach, Resolvable, SafeAction
from ems_admin.machines.lifecycle.release import reason_refusal
from ems_admin.machines.lifecycle.switch import WILL_PRESERVE, Scope
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.arbiter.ending import against_site_alone, site_alone
from ems_admin.workflows.arbiter.presented import require_fingerprint
from ems_admin.workflows.arbiter.releasing import Released, Releasing, against_release, release
from ems_admin.workflows.arbiter.saving import save
from ems_admin.workflows.arbiter.switching import LOCK
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.glance import glance
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.offering import StaleRecord, discard, safe_actions, stale_records
from ems_admin.workflows.lifecycle.situation import Situation
from ems_admin.workflows.lifecycle.view import LifecycleView, lifecycle_view, look, verdict, view_of
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.view import read_setup


@frozen(kw_only=True)
class RecoveryPreview:
    """What each way to recover would do now."""

    running: Refusal | None
    """What closes both ways."""
    unreachable: Refusal | None
    """What closes the safe one beside that."""
    unpermitted: Refusal | None
    """What closes the release beside that."""
    actions: tuple[SafeAction, ...]
    files: tuple[StaleRecord, ...]
    view: LifecycleView

    @property
    def safe_available(self) -> bool:
        """Whether safe recovery would do anything."""
        return bool(self.actions) and not (self.running or self.unreachable)

    @property
    def release_available(self) -> bool:
        """Whether a release would set anything aside."""
        return bool(self.files) and not (self.running or self.unpermitted)

    @property
    def blocking(self) -> Code | None:
        """What stands against recovery, or against the release that would have something to set aside."""
        against = self.running or (self.unpermitted if self.files else None)
        return None if against is None else Code(against.code)

    @property
    def will_preserve(self) -> tuple[Scope, ...]:
        """What no recovery touches."""
        return WILL_PRESERVE


@frozen(kw_only=True)
class Recovered:
    """What was done. `released` belongs to a release, and is empty when nothing was left to set aside."""

    mode: Mode
    actions: tuple[SafeAction, ...]
    released: Released | None
    lifecycle: LifecycleView


@frozen(kw_only=True)
class RecoveryRequest:
    """What a person asks for, and presents."""

    mode: Mode
    fingerprint: str | None
    confirm: bool
    reason: str | None = None


async def preview_recovery(house: House) -> RecoveryPreview:
    """Say what recovery could do now. Changes nothing but a review that was never this workflow's."""
    await read_setup(house)
    house = await glance(house)
    return await preview_of(house, await look(house))


async def preview_of(house: House, at: Situation) -> RecoveryPreview:
    """Say what recovery could do in this situation."""
    files = stale_records(house, at)
    return RecoveryPreview(
        running=_running(house, at) or _in_the_way(house, at),
        unreachable=_unreachable(at),
        unpermitted=await against_release(house, at) if files else None,
        actions=safe_actions(at),
        files=files,
        view=view_of(house, at),
    )


async def recover(house: House, caller: Caller, asked: RecoveryRequest) -> Recovered:
    """Recover. Raises `RefusalError`, in this order, and then every record is as it was.

    `workflow_fingerprint_required`, `workflow_lifecycle_changed`, `confirmation_required`, for a release
    `recovery_reason_required`, then `workflow_recovery_unsafe` while anything can still write; safe recovery also
    answers that, with its detail, beside what it cannot read; a release `replacement_active` or
    `install_state_unavailable` until no Admin replacement is proven to run.
    """
    async with house.locks.hold(LOCK):
        at = await look(house)
        require_fingerprint(at, asked.fingerprint)
        if not asked.confirm:
            raise RefusalError(Refusal(Code.CONFIRMATION_REQUIRED))
        reason = (asked.reason or "").strip()
        if refusal := reason_refusal(asked.mode, reason):
            raise RefusalError(refusal)
        if refusal := _running(house, at):
            raise RefusalError(refusal)
        if asked.mode is Mode.SAFE:
            actions = await _save(house, caller, asked, at)
            return Recovered(mode=asked.mode, actions=actions, released=None, lifecycle=await lifecycle_view(house))
        released = await _release(house, caller, asked, at, reason)
        return Recovered(mode=asked.mode, actions=(), released=released, lifecycle=await lifecycle_view(house))


async def _save(house: House, caller: Caller, asked: RecoveryRequest, at: Situation) -> tuple[SafeAction, ...]:
    if refusal := _unreachable(at):
        raise RefusalError(refusal)
    if not safe_actions(at):
        return ()
    if refusal := _in_the_way(house, at):
        raise RefusalError(refusal)
    async with site_alone(house, WorkKind.LIFECYCLE_RECOVERY, at) as entry:
        again = await look(house, own_claim=entry.id)
        require_fingerprint(again, asked.fingerprint)
        return await save(house, caller, entry, again)


async def _release(house: House, caller: Caller, asked: RecoveryRequest, at: Situation, reason: str) -> Released:
    if not stale_records(house, at):
        if refusal := await against_release(house, at):
            raise RefusalError(refusal)
        return Released(files=(), folder=None)
    if refusal := _in_the_way(house, at):
        raise RefusalError(refusal)
    async with site_alone(house, WorkKind.LIFECYCLE_RECOVERY, at) as entry:
        again = await look(house, own_claim=entry.id)
        require_fingerprint(again, asked.fingerprint)
        if refusal := await against_release(house, again):
            raise RefusalError(refusal)
        return await release(Releasing(house=house, caller=caller, at=again, mode=asked.mode, reason=reason))


def _running(house: House, at: Situation) -> Refusal | None:
    """Say whether anything can still write: then nothing is recovered, whatever else is corrupt."""
    lifecycle = verdict(house, at)
    return Refusal(Code.WORKFLOW_RECOVERY_UNSAFE, detail=lifecycle.blocking_reason) if lifecycle.may_write else None


def _in_the_way(house: House, at: Situation) -> Refusal | None:
    """Say whether other work holds the site, which whoever ends something has to hold alone."""
    met = against_site_alone(house, WorkKind.LIFECYCLE_RECOVERY, at)
    return None if met is None else Refusal(Code.WORKFLOW_RECOVERY_UNSAFE, detail=met.code, more=met.more)


def _unreachable(at: Situation) -> Refusal | None:
    """Say whether the normal ends would have to resolve what they cannot read."""
    reach = REACH.classify(Resolvable(at.setup, at.transition, discard(at)))
    return None if reach is Reach.OPEN else Refusal(Code.WORKFLOW_RECOVERY_UNSAFE, detail=reach)
