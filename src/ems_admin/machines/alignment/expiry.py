"""Whether a record has outlived its hour: a verdict of three, because a clock can be wrong.

Within one boot the boottime clock alone is believed: it neither jumps nor stands still. Across boots only the wall
clock is left, and a host without a battery clock wakes in the past. Then nothing is proven, in either direction.

Source: `faults.md` D6, F16, F17.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.transition import TTL, Transition


class Expiry(StrEnum):
    """How old a record is. `UNPROVEN` is shown as expired and opens the way out, yet closes no way forward."""

    FRESH = "fresh"
    EXPIRED = "expired"
    UNPROVEN = "unproven"


class Boot(StrEnum):
    """Whether the record began in the boot that runs now."""

    SAME = "same"
    ANOTHER = "another"


class Lifetime(StrEnum):
    """What the boottime clock says of the time since the beginning. It means nothing across boots."""

    LEFT = "left"
    SPENT = "spent"


class WallClock(StrEnum):
    """Where the wall clock stands."""

    IMPLAUSIBLE = "implausible"
    """Before the beginning of the record, or before the running Admin was built."""
    BEFORE_EXPIRY = "before_expiry"
    PAST_EXPIRY = "past_expiry"
    """At `expires_at` or later."""


@frozen
class Age:
    """What is asked of the clocks."""

    boot: Boot
    lifetime: Lifetime
    wall_clock: WallClock


EXPIRY: Final = Table[Age, Expiry](
    name="expiry",
    asks=Age,
    rows=(
        row(Expiry.EXPIRED, boot=Boot.SAME, lifetime=Lifetime.SPENT),
        row(Expiry.FRESH, boot=Boot.SAME),
        row(Expiry.UNPROVEN, wall_clock=WallClock.IMPLAUSIBLE),
        row(Expiry.EXPIRED, wall_clock=WallClock.PAST_EXPIRY),
        row(Expiry.FRESH),
    ),
)


@frozen(kw_only=True)
class Clock:
    """The clocks of this host as they were just read."""

    now: datetime
    """UTC."""
    boot_id: str | None
    """`None` when it cannot be read."""
    boottime: float | None
    """Seconds since boot, time asleep included."""
    admin_built_at: datetime
    """The build date of the running Admin: no honest clock stands before it."""


def expiry_of(transition: Transition, clock: Clock) -> Expiry:
    """Give the verdict on a transition."""
    return EXPIRY.classify(age_of(transition, clock))


def age_of(transition: Transition, clock: Clock) -> Age:
    """Read the clocks against the beginning of a transition.

    A boot id that cannot be read, and a boottime that runs behind the beginning, count as another boot.
    """
    boot, lifetime = Boot.ANOTHER, Lifetime.LEFT
    began, ticked = transition.created_boottime, clock.boottime
    if began is not None and ticked is not None:
        if clock.boot_id is not None and clock.boot_id == transition.created_boot_id and ticked >= began:
            boot = Boot.SAME
        if ticked - began >= TTL.total_seconds():
            lifetime = Lifetime.SPENT
    return Age(boot, lifetime, _wall_clock(transition, clock))


def _wall_clock(transition: Transition, clock: Clock) -> WallClock:
    if clock.now < max(transition.created_at, clock.admin_built_at):
        return WallClock.IMPLAUSIBLE
    return WallClock.PAST_EXPIRY if clock.now >= transition.expires_at else WallClock.BEFORE_EXPIRY
