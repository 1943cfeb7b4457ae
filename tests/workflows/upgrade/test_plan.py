"""A plan tells all that an upgrade would do, and writes no byte (`site.md` 9; `http.md` 5.3)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.machines.upgrade.steps import Step
from ems_admin.machines.values.tags import Direction
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.upgrade.forecast import Effect, PartKind
from ems_admin.workflows.upgrade.plan import make_plan, require_reviewed
from tests.memory.house import EMS_DIGEST, OWN, TAG
from tests.memory.outside import MemoryBuilds
from tests.workflows.places import opened
from tests.workflows.scene import B5, CONFIG, CREDENTIALS, Scene
from tests.workflows.upgrade.planned import (
    ALL,
    OLD,
    configured,
    older,
    planned,
    seen,
    with_a_broker_inside,
    without_a_key,
)


def test_a_plan_writes_no_byte() -> None:
    scene = older()
    without_a_key(scene)
    fingerprint = seen(scene)
    before, journal = scene.files, len(scene.site.journal.entries)
    scene.durable.clear()
    planned(scene, fingerprint=fingerprint)
    assert (scene.files, scene.durable, len(scene.site.journal.entries)) == (before, [], journal)
    assert scene.house.work.holder is None


def test_every_part_goes_from_what_is_there_to_what_is_meant() -> None:
    scene = older()
    parts = {(part.kind, part.name): part for part in planned(scene).parts}
    assert parts[PartKind.ADMIN, "admin"].effect is Effect.STAYS
    ems = parts[PartKind.EMS, "ems"]
    assert ems.effect is Effect.REPLACED
    assert (ems.before and ems.before.system_tag, ems.after and ems.after.system_tag) == ("v0.9.0", TAG)
    service = parts[PartKind.SERVICE, "ems"]
    assert (service.before and service.before.digest, service.after and service.after.digest) == (OLD, EMS_DIGEST)
    config = parts[PartKind.CONFIG, "config/config.json"]
    assert (config.effect, config.before) == (Effect.STAYS, config.after)
    assert config.before is not None
    assert config.before.digest == hashlib.sha256(scene.files[CONFIG]).hexdigest()


def test_who_is_away_meanwhile_is_named() -> None:
    scene = older()
    assert [(away.kind, away.name) for away in planned(scene).interruptions] == [(PartKind.SERVICE, "ems")]
    del scene.site.world.files["/running-ems"]
    assert planned(scene).interruptions == (), "what does not run is not interrupted"
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OWN, build_id="0.9.0", digest="1" * 64)))
    assert [away.kind for away in planned(scene).interruptions] == [PartKind.ADMIN]


def test_what_cannot_be_seen_is_never_called_unchanged() -> None:
    scene = older()
    fingerprint = seen(scene)
    scene.engine.reachable = False
    plan = planned(scene, fingerprint=fingerprint)
    service = next(part for part in plan.parts if part.kind is PartKind.SERVICE)
    assert (service.before, service.effect) == (None, Effect.UNKNOWN)
    assert [away.kind for away in plan.interruptions] == [PartKind.SERVICE]


def test_a_migration_is_shown_with_what_it_would_write_and_needs_its_review() -> None:
    scene = older()
    with_a_broker_inside(scene)
    plan = planned(scene)
    migration = plan.migration
    assert migration.required
    assert migration.config is not None
    last = len(json.loads(scene.files[CONFIG])["devices"]) - 1
    assert [change.pointer for change in migration.changes] == [f"/devices/{last}/mqtt"]
    assert "hush" not in repr(migration.diff)
    assert b"hush" not in migration.data, "the secret goes to the credential store"
    assert [entry["password"] for entry in migration.secrets.values()] == ["hush"]
    assert Step.MIGRATION in {step.step for step in plan.steps}
    with pytest.raises(RefusalError, match=Code.MIGRATION_REVIEW_STALE):
        require_reviewed(plan, None)
    require_reviewed(plan, migration.revision)


def test_keys_of_the_new_build_are_added_only_where_that_was_chosen() -> None:
    scene = older()
    without_a_key(scene)
    plan = planned(scene)
    assert (plan.migration.required, plan.migration.added_keys) == (True, ("/system/deadband",))
    assert plan.findings == ()
    left = planned(scene, evolve(ALL, config_add_keys=False))
    assert (left.migration.required, left.migration.revision, left.migration.added_keys) == (False, None, ())
    assert [entry.code for entry in left.findings] == [Code.SCHEMA_VIOLATION], "and the target says that it is missing"
    require_reviewed(left, None)


def test_what_the_target_says_of_the_result_is_found_before_anything_is_done() -> None:
    scene = older()
    configured(scene, schema_version="one")
    assert [entry.pointer for entry in planned(scene).findings] == ["/schema_version"]


def test_the_room_it_takes_is_added_up() -> None:
    scene = older()
    space = planned(scene).space
    assert (space.images, space.enough) == (0, True)
    assert space.needed == space.unpacked, "imported already: natively its programs are unpacked once more"
    del scene.site.world.files[f"releases/{TAG}/manifest.json"]
    fresh = planned(scene).space
    assert fresh.needed == fresh.archive + 2 * fresh.unpacked


def gone(scene: Scene) -> None:
    del scene.site.world.files[f"releases/{TAG}/manifest.json"]


def lost(scene: Scene) -> None:
    scene.engine.lost.add("1.0.0")


def unnoted(scene: Scene) -> None:
    del scene.site.world.files[B5]
    scene.site.world.files["state/.admin-deployment.json"] = scene.files["state/.admin-deployment.json"].replace(
        TAG.encode(), b"v0.9.0"
    )


@pytest.mark.parametrize(
    ("missing", "code"),
    [
        (gone, Code.KNOWN_GOOD_IMAGE_MISSING),
        (lost, Code.KNOWN_GOOD_IMAGE_MISSING),
        (unnoted, Code.KNOWN_GOOD_UNAVAILABLE),
    ],
)
def test_a_way_back_that_was_chosen_and_is_not_there_is_told_in_time(
    missing: Callable[[Scene], None], code: Code
) -> None:
    """F24: before anything is stopped, and as a warning: the person may go without it."""
    scene = older()
    # The build that is kept is the only one that this world has: it stands for the known-good one.
    good = evolve(scene.record(B5, KnownGood), ems_digest=EMS_DIGEST)
    scene.put(B5, good)
    back = evolve(ALL, auto_rollback=True)
    assert scene.do(kept_as_known_good(scene, back)).warnings == ()
    missing(scene)
    assert [warned.code for warned in scene.do(kept_as_known_good(scene, back)).warnings] == [code]
    assert scene.do(kept_as_known_good(scene, ALL)).warnings == ()


def kept_as_known_good(scene: Scene, options: UpgradeOptions) -> Any:
    """Plan where the older build lies in the cache as well."""
    there = scene.house.builds
    assert isinstance(there, MemoryBuilds)
    house = evolve(scene.house, builds=Both(**attrs.asdict(there, recurse=False)))
    return make_plan(house, TAG, options, seen(scene))


class Both(MemoryBuilds):
    """The source of one build, which is in the cache under two tags."""

    async def resources(self, tag: str) -> Any:
        return await super().resources(TAG)


@pytest.mark.parametrize(
    ("fingerprint", "code"),
    [(None, Code.SYSTEM_BUILD_VERIFICATION_REQUIRED), ("sha256:0", Code.SYSTEM_BUILD_VERIFICATION_STALE)],
)
def test_a_plan_stands_on_what_was_verified(fingerprint: str | None, code: Code) -> None:
    scene = older()
    assert scene.refused(make_plan(scene.house, TAG, ALL, fingerprint)).code is code


def test_refusals_come_in_the_order_of_the_contract() -> None:
    """Each site is wrong in every way that comes later as well (`http.md` 5.3)."""
    scene = older()
    scene.site.world.files[CONFIG] = b"{"

    def asked(tag: str = TAG, fingerprint: str | None = None) -> Code:
        return Code(scene.refused(make_plan(scene.house, tag, ALL, fingerprint)).code)

    fingerprint = seen(scene)
    assert asked("v9.9.9") is Code.SYSTEM_BUILD_UNKNOWN
    scene.put(B5, evolve(scene.record(B5, KnownGood), system_tag="v1.0.1"))
    refusal = scene.refused(make_plan(scene.house, TAG, ALL, None))
    assert (refusal.code, refusal.detail) == (Code.UPGRADE_NOT_FORWARD, Direction.OLDER)
    scene.put(B5, evolve(scene.record(B5, KnownGood), system_tag="v0.9.0"))
    assert asked() is Code.SYSTEM_BUILD_VERIFICATION_REQUIRED
    assert asked(fingerprint="sha256:0") is Code.SYSTEM_BUILD_VERIFICATION_STALE
    assert asked(fingerprint=fingerprint) is Code.CONFIG_UNREADABLE
    scene.site.world.files[CONFIG] = b"{}"
    scene.site.world.files[CREDENTIALS] = b"[]"
    assert asked(fingerprint=fingerprint) is Code.CREDENTIAL_STAGING_FAILED
    setup = opened()
    assert setup.refused(make_plan(setup.house, "v9.9.9", ALL, None)).code == Code.SETUP_ABANDON_REQUIRED
