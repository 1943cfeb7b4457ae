"""The plan of a Guided Upgrade: everything that it would do, worked out from what is there, and nothing stored.

A plan is shown, agreed to and worked out once more when it is carried out: only the very same one is. So whatever
somebody changed in between is found before the first byte is written.

Source: `site.md` 9 (Plan), `http.md` 5.3 (upgrade/plan, upgrade/execute); `faults.md` F24, F52.
"""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import EngineKind, KnownGood
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.machines.upgrade.steps import UpgradeStep, steps_of
from ems_admin.machines.values.fingerprints import plan_fingerprint
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.known_good import known_good_here
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_tag
from ems_admin.workflows.ports.builds import BuildFailure, Examined, Resources
from ems_admin.workflows.ports.engine import Deployment
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.selection import Selection, select
from ems_admin.workflows.setup.validate import SelectedBuild, selected_build
from ems_admin.workflows.upgrade import forecast
from ems_admin.workflows.upgrade.gate import require_upgrade_open
from ems_admin.workflows.upgrade.migration import LiveFiles, PlannedMigration, faults, live_files, plan_migration
from ems_admin.workflows.upgrade.validate import require_forward


@frozen(kw_only=True)
class Warned:
    """What speaks against the upgrade without standing in its way."""

    code: Code
    detail: str | None = None


@frozen(kw_only=True)
class Plan:
    """All that an upgrade would do. Two plans with one fingerprint do the same."""

    selection: Selection
    resources: Resources
    """Of the target, out of its verified archive."""
    options: UpgradeOptions
    live_revision: str | None
    migration: PlannedMigration
    findings: tuple[ValidationEntry, ...]
    """What the target says of the config as it would be."""
    known_good: KnownGood | None
    """The way back."""
    interruptions: tuple[forecast.Interruption, ...]
    parts: tuple[forecast.PartChange, ...]
    space: forecast.Space
    warnings: tuple[Warned, ...]

    @property
    def target(self) -> SelectedBuild:
        """Name the build that is meant."""
        return selected_build(self.resources.manifest)

    @property
    def deployment(self) -> Deployment:
        """What is to run in the end."""
        return Deployment(manifest=self.resources.manifest, stack=self.resources.stack)

    @property
    def steps(self) -> tuple[UpgradeStep, ...]:
        """Name what would be done, in its order."""
        return steps_of(self.options, migration=self.migration.required, admin=not self.selection.aligned)

    @property
    def fingerprint(self) -> str:
        """Bind an agreement to this very plan."""
        return plan_fingerprint(
            system_tag=self.selection.manifest.system_tag,
            options=self.options,
            selection_fingerprint=self.selection.fingerprint,
            live_revision=self.live_revision,
            migration_revision=self.migration.revision,
            known_good=self.known_good,
        )


async def make_plan(house: House, tag: str, options: UpgradeOptions, selection_fingerprint: str | None) -> Plan:
    """Work the upgrade to a build out. Stores nothing. Raises `RefusalError`.

    What `validate` answers comes first: the gate of both phases, what is wrong with the build, `upgrade_not_forward`.
    Then `system_build_verification_required` and `_stale` for the verification that the caller goes by; then what is
    wrong with the live config: `config_unreadable`, `credential_staging_failed`.
    """
    await require_upgrade_open(house)
    examined = await house.builds.examine(tag)
    if isinstance(examined, BuildFailure):
        raise RefusalError(Refusal(examined.code, detail=examined.detail))
    target = examined.resources
    await house.identity.learn()  # an engine that was silent at the start: an Admin that knows itself is not replaced
    selection = select(target.manifest, house.engine.kind, house.own)
    await require_forward(house, target.manifest.system_tag, target.manifest.channel)
    require_verified(selection, selection_fingerprint)
    live = await live_files(house)
    migration = plan_migration(live, target, add_keys=options.config_add_keys)
    present = await _look(house, examined, live)
    parts = forecast.parts(present, selection, migration)
    space = forecast.space(examined, present, native=house.engine.kind is EngineKind.NATIVE)
    return Plan(
        selection=selection,
        resources=target,
        options=options,
        live_revision=live.revision,
        migration=migration,
        findings=faults(migration, live, target),
        known_good=present.known_good,
        interruptions=forecast.interruptions(parts, present.observation),
        parts=parts,
        space=space,
        warnings=(*await _way_back_warnings(house, options, present.known_good), *_space_warnings(space)),
    )


def require_verified(selection: Selection, selection_fingerprint: str | None) -> None:
    """Hold what the caller has seen verified against what the tag names now. Raises `RefusalError`."""
    if selection_fingerprint is None:
        raise RefusalError(Refusal(Code.SYSTEM_BUILD_VERIFICATION_REQUIRED))
    if selection_fingerprint != selection.fingerprint:
        raise RefusalError(Refusal(Code.SYSTEM_BUILD_VERIFICATION_STALE, detail=selection.manifest.system_tag))


def require_reviewed(plan: Plan, migration_revision: str | None) -> None:
    """Refuse a migration that nobody has reviewed as it would be now: `migration_review_stale` with the difference.

    Where nothing is to be migrated there is nothing to review.
    """
    migration = plan.migration
    if migration.required and migration_revision != migration.revision:
        more = {"revision": plan.live_revision, "migration_revision": migration.revision, "diff": migration.diff}
        raise RefusalError(Refusal(Code.MIGRATION_REVIEW_STALE, more=more))


def require_same_plan(plan: Plan, fingerprint: str | None) -> None:
    """Refuse to carry out another plan than the one that was agreed to: `upgrade_plan_stale`."""
    if fingerprint != plan.fingerprint:
        raise RefusalError(Refusal(Code.UPGRADE_PLAN_STALE, more={"plan_fingerprint": plan.fingerprint}))


def require_fit(plan: Plan) -> None:
    """Refuse what is known to end at the check of the config, before anybody is interrupted: `validation_failed`.

    Whoever leaves that check out has decided so.
    """
    if plan.options.config_check and plan.findings:
        raise RefusalError(Refusal(Code.VALIDATION_FAILED, detail=plan.target.tag, more={"errors": plan.findings}))


async def _look(house: House, examined: Examined, live: LiveFiles) -> forecast.Present:
    target = examined.resources
    stored = await house.builds.resources(target.manifest.system_tag)
    return forecast.Present(
        own=house.own,
        installed_tag=await installed_tag(house),
        known_good=await standing.known_good(house),
        live=live,
        observation=await house.engine.observe(),
        images=house.engine.images(Deployment(manifest=target.manifest, stack=target.stack)),
        free=await house.installation.free_bytes(),
        imported=isinstance(stored, Resources) and stored.manifest == target.manifest,
    )


async def _way_back_warnings(house: House, options: UpgradeOptions, good: KnownGood | None) -> tuple[Warned, ...]:
    """Look whether the way back that was chosen is there: before it is needed, not when it is (F24)."""
    if not options.auto_rollback:
        return ()
    if good is None:
        return (Warned(code=Code.KNOWN_GOOD_UNAVAILABLE),)
    try:
        here = await known_good_here(house, good)
    except RefusalError as unasked:
        return (Warned(code=Code(unasked.refusal.code), detail=good.system_tag),)
    return () if here else (Warned(code=Code.KNOWN_GOOD_IMAGE_MISSING, detail=good.system_tag),)


def _space_warnings(space: forecast.Space) -> tuple[Warned, ...]:
    if space.enough is not False:
        return ()
    return (Warned(code=Code.DISK_NEARLY_FULL, detail=f"{space.needed} bytes needed, {space.free} free"),)
