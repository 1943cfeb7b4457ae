"""Tags: what names a build, what floats, and which of two is newer."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Channel
from ems_admin.machines.values.tags import FLOATING, Direction, Tagged, direction, listing_key, tag_fault, version

NUMBERS = st.one_of(st.integers(0, 3), st.integers(0, 10**20)).map(str)
IDENTIFIERS = st.one_of(NUMBERS, st.from_regex(r"[0-9]*[a-zA-Z-][0-9a-zA-Z-]{0,5}", fullmatch=True))
PRERELEASES = st.lists(IDENTIFIERS, max_size=4).map(".".join).map(lambda text: f"-{text}" if text else "")
VERSIONS = st.builds(
    lambda v, a, b, c, pre: f"{v}{a}.{b}.{c}{pre}", st.sampled_from(["", "v"]), NUMBERS, NUMBERS, NUMBERS, PRERELEASES
)
TAGS = st.one_of(VERSIONS, st.from_regex(r"v?[0-9A-Za-z][0-9A-Za-z._-]{0,20}", fullmatch=True), st.text(max_size=12))
ORDERED = st.sampled_from([Channel.STABLE, Channel.RC])
BUILDS = st.builds(Tagged, TAGS, st.sampled_from(Channel))

# The order that Semantic Versioning 2.0.0 gives as its examples, in sections 10 and 11.
RISING = (
    *("1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"),
    *("1.0.0-rc.1", "1.0.0", "2.0.0", "2.1.0", "2.1.1"),
)


def stable(tag: str) -> Tagged:
    return Tagged(tag, Channel.STABLE)


@pytest.mark.parametrize(("older", "newer"), tuple(pairwise(RISING)))
def test_the_published_examples_rise(older: str, newer: str) -> None:
    assert direction(stable(newer), stable(older)) is Direction.NEWER
    assert direction(stable(older), stable(newer)) is Direction.OLDER


@pytest.mark.parametrize(
    "tag", ["1.0.0-0.3.7", "1.0.0-x.7.z.92", "1.0.0-x-y-z.--", "v1.0.0--1", "10.20.30-0A.is.legal"]
)
def test_the_published_forms_are_versions(tag: str) -> None:
    assert version(tag) is not None


@pytest.mark.parametrize(
    "tag", ["1", "1.2", "1.2.3.4", "01.2.3", "1.02.3", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "vv1.2.3", "V1.2.3"]
)
def test_what_only_looks_like_a_version_is_none(tag: str) -> None:
    assert version(tag) is None
    assert direction(stable(tag), stable("1.2.2")) is Direction.UNCOMPARABLE


def test_build_metadata_has_no_precedence() -> None:
    assert version("1.0.0+21AF26D3") == version("1.0.0+exp.sha.5114f85") == version("v1.0.0")


def test_a_v_changes_nothing() -> None:
    assert direction(stable("v1.4.0"), stable("1.4.0")) is Direction.SAME
    assert direction(stable("v1.4.1"), stable("1.4.0")) is Direction.NEWER


def test_numbers_are_compared_as_numbers() -> None:
    assert direction(stable("v0.10.0"), stable("v0.9.0")) is Direction.NEWER
    assert direction(stable("v1.0.0-rc.10"), stable("v1.0.0-rc.9")) is Direction.NEWER


@pytest.mark.parametrize("channel", [Channel.LOCAL, Channel.DEVELOPMENT])
def test_builds_without_an_order_are_same_or_uncomparable(channel: Channel) -> None:
    assert direction(Tagged("v2.0.0", channel), stable("v1.0.0")) is Direction.UNCOMPARABLE
    assert direction(stable("v2.0.0"), Tagged("v1.0.0", channel)) is Direction.UNCOMPARABLE
    assert direction(Tagged("v2.0.0", channel), stable("v2.0.0")) is Direction.SAME


@given(BUILDS, BUILDS)
def test_the_comparison_is_total_and_antisymmetric(one: Tagged, other: Tagged) -> None:
    """F52."""
    opposite = {Direction.NEWER: Direction.OLDER, Direction.OLDER: Direction.NEWER}
    there = direction(one, other)
    assert direction(other, one) is opposite.get(there, there)
    assert direction(one, one) is Direction.SAME


@given(VERSIONS, VERSIONS, VERSIONS, ORDERED)
def test_the_order_of_versions_is_transitive(first: str, second: str, third: str, channel: Channel) -> None:
    low, middle, high = sorted((Tagged(tag, channel) for tag in (first, second, third)), key=lambda b: str(b.tag))
    rank = {Direction.OLDER: -1, Direction.SAME: 0, Direction.NEWER: 1}
    if rank[direction(low, middle)] <= 0 and rank[direction(middle, high)] <= 0:
        assert rank[direction(low, high)] <= 0


@given(VERSIONS, VERSIONS)
def test_the_order_is_that_of_the_standard(one: str, other: str) -> None:
    assert direction(stable(one), stable(other)) is slowly_compared(one, other)


def slowly_compared(one: str, other: str) -> Direction:
    """Section 11 of the standard once more, step by step."""

    def parts(tag: str) -> tuple[list[int], list[str]]:
        core, _, pre = tag.removeprefix("v").partition("-")
        return [int(number) for number in core.split(".")], pre.split(".") if pre else []

    (core, pre), (other_core, other_pre) = parts(one), parts(other)
    if core != other_core:
        return Direction.NEWER if core > other_core else Direction.OLDER
    if not pre or not other_pre:
        return {(0, 0): Direction.SAME, (0, 1): Direction.NEWER, (1, 0): Direction.OLDER}[bool(pre), bool(other_pre)]
    for left, right in zip(pre, other_pre, strict=False):
        if left != right:
            if left.isdigit() and right.isdigit():
                later = int(left) > int(right)
            else:
                later = left.encode() > right.encode() if left.isdigit() == right.isdigit() else right.isdigit()
            return Direction.NEWER if later else Direction.OLDER
    lengths = len(pre) - len(other_pre)
    return Direction.SAME if not lengths else Direction.NEWER if lengths > 0 else Direction.OLDER


@pytest.mark.parametrize("tag", ["v1.2.3", "2026-11-29", "7", "v" + "a" * 128, "release_4.x", "vlatest"])
def test_these_can_name_a_build(tag: str) -> None:
    assert tag_fault(tag) is None


@pytest.mark.parametrize("tag", ["", "-1", ".hidden", "..", "a/b", "a b", "a\n", "v" + "a" * 129, "ü1", "a:b", "1.0+b"])
def test_these_cannot_name_a_build(tag: str) -> None:
    assert tag_fault(tag) is Code.UNSUPPORTED_VALUE


@pytest.mark.parametrize("tag", [*sorted(FLOATING), "Latest", "MAIN"])
def test_what_floats_is_refused_by_name(tag: str) -> None:
    assert tag_fault(tag) is Code.SYSTEM_BUILD_FLOATING


@given(TAGS)
def test_a_tag_that_is_accepted_is_safe_as_the_name_of_a_folder(tag: str) -> None:
    if tag_fault(tag) is None:
        assert re.fullmatch(r"[0-9A-Za-z._-]{1,129}", tag)
        assert not tag.startswith(".")


def test_a_listing_goes_by_version_and_then_by_date() -> None:
    day = datetime(2026, 1, 1, tzinfo=UTC)
    builds = [
        (stable("v0.9.0"), day + timedelta(days=9)),
        (stable("nightly-7"), day + timedelta(days=30)),
        (stable("v0.10.0-rc.1"), day),
        (Tagged("v9.0.0", Channel.LOCAL), day + timedelta(days=40)),
        (stable("v0.10.0"), day),
        (stable("0.9.0"), day + timedelta(days=10)),
    ]
    listing = sorted(builds, key=lambda build: listing_key(*build), reverse=True)
    assert [build.tag for build, _ in listing] == ["v0.10.0", "v0.10.0-rc.1", "0.9.0", "v0.9.0", "v9.0.0", "nightly-7"]
