"""The verdict about an hour, against every way in which a clock lies.

Source: D6.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

import attrs
import pytest

from ems_admin.machines.alignment.expiry import Clock, Expiry, expiry_of
from ems_admin.machines.records.transition import Stage
from tests.machines.samples import TEN, operation

OPERATION: Final = operation(Stage.ADMIN_ALIGNED)
BUILT: Final = TEN - timedelta(days=30)
YEAR: Final = timedelta(days=365)


def verdict(
    now: datetime, *, boot_id: str | None = "boot1", boottime: float | None = 100.0, built: datetime = BUILT
) -> Expiry:
    clock = Clock(now=now, boot_id=boot_id, boottime=boottime, admin_built_at=built)
    return expiry_of(OPERATION, clock)


def test_within_one_boot_an_hour_of_real_time_expires() -> None:
    assert verdict(TEN, boottime=100.0) is Expiry.FRESH
    assert verdict(TEN, boottime=3699.9) is Expiry.FRESH
    assert verdict(TEN, boottime=3700.0) is Expiry.EXPIRED


def test_a_wall_clock_that_leaps_ahead_expires_nothing_in_one_boot() -> None:
    assert verdict(TEN + YEAR, boottime=160.0) is Expiry.FRESH


def test_a_wall_clock_that_is_set_back_keeps_nothing_alive_in_one_boot() -> None:
    """F16."""
    assert verdict(TEN - YEAR, boottime=3700.0) is Expiry.EXPIRED
    assert verdict(TEN - YEAR, boottime=160.0) is Expiry.FRESH


def test_after_a_reboot_the_wall_clock_decides() -> None:
    hour = timedelta(hours=1)
    assert verdict(TEN, boot_id="boot2", boottime=5.0) is Expiry.FRESH
    assert verdict(TEN + hour - timedelta(seconds=1), boot_id="boot2", boottime=5.0) is Expiry.FRESH
    assert verdict(TEN + hour, boot_id="boot2", boottime=5.0) is Expiry.EXPIRED


def test_the_boottime_of_another_boot_proves_nothing() -> None:
    assert verdict(TEN, boot_id="boot2", boottime=99_999.0) is Expiry.FRESH


def test_a_host_that_wakes_before_the_beginning_proves_nothing() -> None:
    """F17."""
    assert verdict(TEN - timedelta(seconds=1), boot_id="boot2", boottime=5.0) is Expiry.UNPROVEN


def test_a_host_that_wakes_before_its_admin_was_built_proves_nothing() -> None:
    built = TEN + timedelta(minutes=10)
    assert verdict(TEN + timedelta(minutes=5), boot_id="boot2", boottime=5.0, built=built) is Expiry.UNPROVEN
    assert verdict(built, boot_id="boot2", boottime=5.0, built=built) is Expiry.FRESH


def test_once_the_clock_is_right_the_verdict_follows_it() -> None:
    """F17."""
    assert verdict(TEN - YEAR, boot_id="boot2", boottime=5.0) is Expiry.UNPROVEN
    assert verdict(TEN + timedelta(hours=2), boot_id="boot2", boottime=9.0) is Expiry.EXPIRED


@pytest.mark.parametrize(
    ("boot_id", "boottime"),
    [(None, 160.0), ("boot1", None), ("boot1", 99.0)],
    ids=["no boot id", "no boottime", "boottime behind the beginning"],
)
def test_a_boot_that_cannot_be_proven_the_same_counts_as_another(boot_id: str | None, boottime: float | None) -> None:
    assert verdict(TEN + timedelta(hours=2), boot_id=boot_id, boottime=boottime) is Expiry.EXPIRED
    assert verdict(TEN - timedelta(hours=2), boot_id=boot_id, boottime=boottime) is Expiry.UNPROVEN


def test_a_record_without_a_boot_id_is_judged_by_the_wall_clock() -> None:
    record = attrs.evolve(OPERATION, created_boot_id=None)
    clock = Clock(now=TEN + timedelta(hours=2), boot_id=None, boottime=160.0, admin_built_at=BUILT)
    assert expiry_of(record, clock) is Expiry.EXPIRED
