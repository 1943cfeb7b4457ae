"""Who changes the config of one site at the same time: two editors of Maintenance, a tab of the Setup, an upgrade.

Each is a coroutine over the real workflows, and acts on a page that was open before. What it was told is kept with what
it had reviewed, so that the chain of files can be held against the answers: an edit that was accepted is in it, made
from what its author had seen.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from copy import deepcopy
from random import Random
from typing import Any, Final, TypeVar

from attrs import define, evolve, field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.workflows.config.merging import Choices, merge_edit
from ems_admin.workflows.config.three_ways import Side, ThreeWays
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.maintenance.apply import Change, apply_config
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.upgrade.executing import execute
from ems_admin.workflows.upgrade.plan import make_plan
from ems_admin.workflows.upgrade.validate import validate_upgrade
from tests.exploration.edits.pages import Pages
from tests.memory.house import TAG
from tests.memory.world import Call, Step
from tests.workflows.scene import B6, Scene
from tests.workflows.upgrade.upgrades import ALL

T = TypeVar("T")

WINTER: Final = "/features/winter_mode"
FIELDS: Final[Mapping[str, tuple[Any, ...]]] = {
    "/system/max_total_power": (3000, 3500, 4000),
    "/system/deadband": (20, 30),
    WINTER: (False, True),
    "/devices/roof_south/max_power": (4000, 5000),
}
"""What an editor may set, and to what: few values, so that two often want the same field."""
ASKED_AGAIN: Final = frozenset(
    {Code.WORK_IN_PROGRESS, Code.SETUP_OPERATION_IN_PROGRESS, Code.SYSTEM_TRANSITION_IN_PROGRESS}
)
TRIES: Final = 3
AWAY: Final = "look away for "
LONGEST: Final = 60
"""Steps that somebody looks away at most."""


@frozen(kw_only=True)
class Accepted:
    """A yes: which way, made from which revision, and what is live by it."""

    who: str
    path: WritePath
    base: str | None
    revision: str | None
    """`None` where the answer does not say."""
    fields: frozenset[str] | None
    """The fields that its author had set, by pointer; `None` for a config that was reviewed as a whole."""


@define
class Told:
    """What everybody was answered, over all processes of one schedule. Mutable: it grows."""

    accepted: list[Accepted] = field(factory=list)
    refused: list[tuple[str, str]] = field(factory=list)
    """Who, and with which code."""

    def no(self, who: str, refusal: Refusal) -> None:
        self.refused.append((who, str(refusal.code)))


async def heard(told: Told, who: str, work: Awaitable[T]) -> T | None:
    """Ask, and keep what is refused; `None` then."""
    try:
        return await work
    except RefusalError as refused:
        told.no(who, refused.refusal)
        return None


async def later(chance: Random, longest: int = LONGEST) -> None:
    """Look away for some steps of the others."""
    await Step(Call(f"{AWAY}{chance.randint(0, longest)}"))


async def edit(scene: Scene, told: Told, chance: Random, who: str, page: Pages) -> None:
    """Change some fields of what was shown, and save: one that has to wait asks again, one that is late merges."""
    draft, base = deepcopy(dict(page.config)), page.revision
    wanted = {name: chance.choice(FIELDS[name]) for name in chance.sample(sorted(FIELDS), chance.randint(1, 2))}
    if "winter_mode" not in draft["features"]:
        wanted.setdefault(WINTER, False)  # without it no edit would be accepted
    for pointer, value in wanted.items():
        _put(draft, pointer, value)
    for _ in range(TRIES):
        await later(chance)
        change = Change(draft=draft, revision=base, confirm=True, backup=False)
        try:
            saved = await apply_config(scene.house, scene.caller, change)
        except RefusalError as refused:
            told.no(who, refused.refusal)
            if refused.refusal.code is Code.CONFLICT:
                merged = await merge_edit(scene.house, draft, decided(chance, refused.refusal, base))
                draft, base = dict(merged.draft), merged.revision
            elif refused.refusal.code not in ASKED_AGAIN:
                return
            continue
        if saved.changed:
            yes = Accepted(
                who=who,
                path=WritePath.MAINTENANCE_APPLY,
                base=base,
                revision=saved.revision,
                fields=frozenset(wanted),
            )
            told.accepted.append(yes)
        return


async def upgrade(scene: Scene, told: Told, chance: Random, who: str, page: Pages) -> None:
    """Agree to the plan that was shown, and see the config migrated; who comes too late plans once more."""
    request, base, adds = page.upgrade, page.revision, page.adds
    for _ in range(TRIES):
        await later(chance)
        job = await heard(told, who, execute(scene.house, scene.caller, request))
        if job is not None:
            if await _migrated(scene, chance, job) and adds:
                yes = Accepted(who=who, path=WritePath.UPGRADE_MIGRATION, base=base, revision=None, fields=adds)
                told.accepted.append(yes)
            elif job.error is not None:
                told.no(who, job.error)
            return
        if told.refused[-1][1] != Code.UPGRADE_PLAN_STALE:
            continue
        found = await heard(told, who, validate_upgrade(scene.house, TAG))
        verified = found.validation.action_state.selection_fingerprint if found else None
        plan = await heard(told, who, make_plan(scene.house, TAG, ALL, verified)) if found else None
        if plan is not None:
            base, adds = plan.live_revision, frozenset(plan.migration.added_keys)
            request = evolve(
                request,
                selection_fingerprint=verified,
                migration_revision=plan.migration.revision,
                plan_fingerprint=plan.fingerprint,
            )


def decided(chance: Random, refusal: Refusal, base: str | None) -> Choices:
    """Decide every conflict that the refusal shows; what one side alone has changed stays as that side has it."""
    ways = refusal.more["three_ways"]
    assert isinstance(ways, ThreeWays)
    sides = {pointer: chance.choice((Side.LIVE, Side.MINE)) for pointer in ways.conflicts}
    return Choices(base_revision=base, fields=sides, take=None)


async def _migrated(scene: Scene, chance: Random, job: Job) -> bool:
    """Watch until the config is settled: what an upgrade does after that, it does to other things."""
    while job.task is not None and not job.finished_at:
        if B6 in scene.site.world.files and scene.record(B6, UpgradeContext).migration_completed:
            return True
        await later(chance, 10)
    return job.error is None


def _put(document: Any, pointer: str, value: Any) -> None:
    *way, last = pointer.split("/")[1:]
    for part in way:
        if isinstance(document, list):
            document = next((one for one in document if one["name"] == part), {})
        else:
            document = document[part]
    document[last] = value
