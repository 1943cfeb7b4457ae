"""Tags of System Builds: which are tags at all, which float, and which of two is the newer one.

A comparison is total and never raises: what cannot be ordered says so, and is never offered as an update.
Source: `site.md` 6, Tags; `faults.md` F52; Semantic Versioning 2.0.0.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum
from functools import total_ordering
from typing import TypeAlias

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Channel

TAG = re.compile(r"v?[0-9A-Za-z][0-9A-Za-z._-]{0,127}")

FLOATING = frozenset({"latest", "stable", "rc", "edge", "main", "nightly", "dev"})
"""Names that are moved from build to build: they say which build is wanted today, not which one was verified."""

UNORDERED_CHANNELS = frozenset({Channel.LOCAL, Channel.DEVELOPMENT})
"""Builds whose tags promise nothing about their order."""

NUMBER = r"(?:0|[1-9][0-9]*)"
IDENTIFIER = rf"(?:{NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
SEMVER = re.compile(
    rf"v?({NUMBER})\.({NUMBER})\.({NUMBER})(?:-({IDENTIFIER}(?:\.{IDENTIFIER})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)

Precedence: TypeAlias = tuple[tuple[int, int, int], bool, tuple[tuple[bool, int, str], ...]]


class Direction(StrEnum):
    """Where a target lies, seen from what is installed. Only `NEWER` is an update."""

    NEWER = "newer"
    SAME = "same"
    OLDER = "older"
    UNCOMPARABLE = "uncomparable"


@total_ordering
@frozen(eq=False)
class Version:
    """A semantic version; two are equal when they have the same precedence, whatever their build metadata says."""

    precedence: Precedence

    def __eq__(self, other: object) -> bool:
        """Say whether neither comes before the other."""
        return self.precedence == other.precedence if isinstance(other, Version) else NotImplemented

    def __lt__(self, other: Version) -> bool:
        """Say whether this one is the older."""
        return self.precedence < other.precedence

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash(self.precedence)


def tag_fault(tag: str) -> Code | None:
    """Say why `tag` cannot name a build: `unsupported_value`, `system_build_floating`, or nothing at all."""
    if not TAG.fullmatch(tag):
        return Code.UNSUPPORTED_VALUE
    return Code.SYSTEM_BUILD_FLOATING if tag.lower() in FLOATING else None


def version(tag: str) -> Version | None:
    """Read the semantic version after an optional v; `None` for a tag that is none."""
    match = SEMVER.fullmatch(tag)
    if match is None:
        return None
    major, minor, patch, prerelease = match.groups()
    core = (int(major), int(minor), int(patch))
    identifiers = tuple(identifier_rank(part) for part in prerelease.split(".")) if prerelease else ()
    return Version((core, not identifiers, identifiers))


def identifier_rank(identifier: str) -> tuple[bool, int, str]:
    """Rank one part of a pre-release: numbers by value and before words, words by their ASCII order."""
    return (False, int(identifier), "") if identifier.isdigit() else (True, 0, identifier)


@frozen
class Tagged:
    """A tag with the channel it was published on, which says whether its order means anything."""

    tag: str
    channel: Channel

    @property
    def version(self) -> Version | None:
        """The version that places it among others; `None` when it has no place."""
        return None if self.channel in UNORDERED_CHANNELS else version(self.tag)


def direction(target: Tagged, installed: Tagged) -> Direction:
    """Say where `target` lies, seen from `installed`."""
    if target.tag == installed.tag:
        return Direction.SAME
    there, here = target.version, installed.version
    if there is None or here is None:
        return Direction.UNCOMPARABLE
    if there == here:
        return Direction.SAME
    return Direction.NEWER if there > here else Direction.OLDER


def listing_key(build: Tagged, released_at: datetime) -> tuple[bool, Precedence, datetime]:
    """Rank a build in a listing, to be sorted in reverse: newest version first, tags without a place last."""
    place = build.version
    nowhere: Precedence = ((0, 0, 0), False, ())
    return (place is not None, place.precedence if place else nowhere, released_at)
