"""Guided Upgrade as it is shown."""

from attrs import evolve

from ems_admin.machines.guided_upgrade import (
    GUIDED_UPGRADE,
    Groundwork,
    Progress,
    Upgrade,
    UpgradeState,
    groundwork,
    read,
)
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.records.upgrade import UpgradeContext, UpgradeOptions
from tests.machines.verdicts import questions, replay, texts, unused

OPTIONS = UpgradeOptions(
    backup=True,
    config_check=True,
    config_add_keys=False,
    pull_image=True,
    recreate=True,
    diagnostics=True,
    auto_rollback=True,
)


def context(
    *, backup: bool = True, backed_up: bool = False, migration: bool = False, migrated: bool = False
) -> UpgradeContext:
    return UpgradeContext(
        format_version=3,
        operation_id="o",
        target_system_tag="v2",
        options=evolve(OPTIONS, backup=backup),
        request_fingerprint="f",
        backup_completed=backed_up,
        backup_reference=None,
        backup_verified=backed_up,
        migration_required=migration,
        migration_completed=migrated,
        migration_revision=None,
        integrity="i",
    )


def test_an_upgrade_is_shown_as_written() -> None:
    """`site.md` 2."""
    (path,) = texts(__file__)
    text = path.read_text(encoding="utf-8")
    assert replay(text, Upgrade, lambda asked: str(GUIDED_UPGRADE.classify(asked))) == text
    assert not unused(GUIDED_UPGRADE, list(questions(text, Upgrade)))


def test_progress_has_every_stage_of_an_operation_and_its_absence() -> None:
    assert [str(p) for p in Progress] == ["no_operation", *map(str, Stage)]


def test_only_what_is_wanted_or_necessary_has_to_be_settled() -> None:
    assert groundwork(None) is Groundwork.OUTSTANDING
    assert groundwork(context()) is Groundwork.OUTSTANDING
    assert groundwork(context(backed_up=True)) is Groundwork.SETTLED
    assert groundwork(context(backup=False)) is Groundwork.SETTLED
    assert groundwork(context(backup=False, migration=True)) is Groundwork.OUTSTANDING
    assert groundwork(context(backed_up=True, migration=True, migrated=True)) is Groundwork.SETTLED


def test_without_an_operation_an_upgrade_is_at_most_planned() -> None:
    assert read(None, context()) is UpgradeState.PLANNED
