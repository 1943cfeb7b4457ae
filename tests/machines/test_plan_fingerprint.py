"""A plan is agreed to by its fingerprint: it tells apart whatever would be done otherwise, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import attrs
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import CompatibilityMode, ResourceStrategy
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.machines.values.fingerprints import migration_revision, plan_fingerprint
from tests.stores.records import KNOWN_GOOD, UPGRADE

PLANNED: dict[str, Any] = {
    "system_tag": "v2.0.0",
    "options": UPGRADE.options,
    "selection_fingerprint": "sha256:" + "1" * 64,
    "live_revision": "2" * 64,
    "migration_revision": "3" * 64,
    "known_good": KNOWN_GOOD,
}
OPTIONS = [field.name for field in attrs.fields(UpgradeOptions)]
PROVEN_AT = {"aligned_at", "healthcheck_at"}
WORDS = [field.name for field in attrs.fields(KnownGood) if field.name not in PROVEN_AT]
OTHERWISE: Mapping[str, Any] = {
    "compatibility_mode": CompatibilityMode.LEGACY_RELEASE,
    "resource_strategy": ResourceStrategy.EMBEDDED,
}


def planned(**changes: Any) -> str:
    return plan_fingerprint(**PLANNED | changes)


@pytest.mark.parametrize("name", ["system_tag", "selection_fingerprint", "live_revision", "migration_revision"])
def test_another_word_is_another_plan(name: str) -> None:
    assert planned(**{name: "another"}) != planned()


@pytest.mark.parametrize("name", ["live_revision", "migration_revision", "known_good"])
def test_what_is_not_there_is_another_plan(name: str) -> None:
    assert planned(**{name: None}) != planned()


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_is_part_of_it(name: str) -> None:
    options = UPGRADE.options
    assert planned(options=evolve(options, **{name: not getattr(options, name)})) != planned()


@pytest.mark.parametrize("name", WORDS)
def test_another_way_back_is_another_plan(name: str) -> None:
    assert planned(known_good=evolve(KNOWN_GOOD, **{name: OTHERWISE.get(name, "another")})) != planned()


@pytest.mark.parametrize("name", sorted(PROVEN_AT))
def test_a_way_back_that_proved_itself_once_more_is_the_same_one(name: str) -> None:
    later = getattr(KNOWN_GOOD, name) + timedelta(hours=1)
    assert planned(known_good=evolve(KNOWN_GOOD, **{name: later})) == planned()


TEXTS = st.text(max_size=4)
CONFIGS = st.dictionaries(TEXTS, st.one_of(TEXTS, st.integers(), st.booleans()), max_size=3)


@given(
    first=st.tuples(st.none() | TEXTS, CONFIGS),
    second=st.tuples(st.none() | TEXTS, CONFIGS),
)
def test_two_reviews_agree_exactly_when_config_and_result_do(
    first: tuple[str | None, dict[str, Any]], second: tuple[str | None, dict[str, Any]]
) -> None:
    ours, theirs = (
        migration_revision(live_revision=live, config=config, secrets={}) for live, config in (first, second)
    )
    same = first[0] == second[0] and repr(sorted(first[1].items())) == repr(sorted(second[1].items()))
    assert (ours == theirs) is same


PLANS = st.fixed_dictionaries(
    {
        "system_tag": st.sampled_from(("v2.0.0", "v2.0.1")),
        "options": st.builds(
            UpgradeOptions,
            **{name: st.booleans() if name in {"backup", "auto_rollback"} else st.just(True) for name in OPTIONS},
        ),
        "selection_fingerprint": st.sampled_from(("sha256:1", "sha256:2")),
        "live_revision": st.sampled_from((None, "1", "2")),
        "migration_revision": st.sampled_from((None, "1", "2")),
        "known_good": st.sampled_from((None, KNOWN_GOOD, evolve(KNOWN_GOOD, ems_digest="2"))),
    }
)


@given(first=PLANS, second=PLANS)
def test_two_plans_have_one_fingerprint_exactly_when_they_are_made_of_the_same(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    assert (planned(**first) == planned(**second)) is (first == second)


@given(first=PLANS)
def test_no_two_words_of_a_plan_can_change_places(first: dict[str, Any]) -> None:
    """What is the one thing in one plan is never taken for the other thing in another."""
    live, migration = first["live_revision"], first["migration_revision"]
    swapped = planned(**first | {"live_revision": migration, "migration_revision": live})
    assert (swapped == planned(**first)) is (live == migration)


def test_a_review_is_bound_to_the_secrets_that_would_be_stored_and_gives_none_away() -> None:
    def review(password: str) -> str:
        return migration_revision(
            live_revision=None, config={}, secrets={"home": {"username": "ems", "password": password}}
        )

    assert review("one") == review("one")
    assert review("one") != review("two")
