"""The simulated house: a believable day, whatever the day."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from ems_admin.demo.ems.config import Battery, Config, Features, Inverter, System
from ems_admin.demo.ems.control import Limits, Moment, beginning, run, step
from ems_admin.demo.ems.house import household, solar
from ems_admin.demo.ems.runtime_state import limits

MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2040, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))  # noqa: DTZ001
CONFIG = Config(
    system=System(dry_run=False, max_total_power=5000, max_device_power=3000, deadband=25, loop_interval_seconds=2),
    features=Features(dashboard=True, history=True, winter_mode=False),
    batteries=(
        Battery(name="large", max_power=3000, min_soc=10, max_soc=95, capacity=7.7),
        Battery(name="small", max_power=800, min_soc=5, max_soc=100, capacity=2.0),
    ),
    inverters=(Inverter(name="roof", max_power=5000),),
)
LIMITS = limits(CONFIG, {})


def day(month: int, number: int) -> list[datetime]:
    return [datetime(2026, month, number, tzinfo=UTC) + timedelta(minutes=minute) for minute in range(0, 1440, 5)]


def energy(watts: list[float]) -> float:
    return sum(watts) * 5 / 60 / 1000


@given(MOMENTS)
def test_powers_stay_within_what_a_house_can_do(moment: datetime) -> None:
    assert 0 <= solar(moment, 5000) <= 5000
    assert 100 < household(moment) < 12_000


@given(MOMENTS)
def test_the_same_moment_always_gives_the_same_power(moment: datetime) -> None:
    assert solar(moment, 5000) == solar(moment, 5000)
    assert household(moment) == household(moment)


@pytest.mark.parametrize("month", [1, 4, 7, 10])
def test_the_sun_shines_by_day_alone(month: int) -> None:
    powers = {moment: solar(moment, 5000) for moment in day(month, 15)}
    assert all(power == 0 for moment, power in powers.items() if moment.hour < 3 or moment.hour >= 22)
    assert max(powers.values()) > 1000
    assert 9 <= max(powers, key=lambda moment: powers[moment]).hour <= 15


def test_summer_gives_more_than_winter() -> None:
    summer = sum(energy([solar(moment, 5000) for moment in day(6, number)]) for number in range(10, 20))
    winter = sum(energy([solar(moment, 5000) for moment in day(12, number)]) for number in range(10, 20))
    assert summer > 1.5 * winter > 0


def test_a_household_uses_what_households_use() -> None:
    days = [energy([household(moment) for moment in day(3, number)]) for number in range(1, 21)]
    assert all(4 < used < 25 for used in days)
    assert max(days) > 1.1 * min(days)


@given(MOMENTS, st.integers(0, 100), st.integers(0, 100))
def test_batteries_keep_to_their_limits_and_energy_is_never_won(at: datetime, first: int, second: int) -> None:
    start = beginning(CONFIG, at)
    cells = tuple(evolve(cell, soc=float(soc)) for cell, soc in zip(start.cells, (first, second), strict=True))
    before = evolve(start, cells=cells)
    for now in run(CONFIG, LIMITS, before, at + timedelta(minutes=10), timedelta(minutes=1)):
        for cell, was in zip(now.cells, before.cells, strict=True):
            assert abs(cell.power) <= cell.battery.max_power
            if cell.power < 0:
                assert cell.soc <= max(was.soc, cell.battery.max_soc)
            if cell.power > 0:
                assert was.soc > cell.battery.min_soc
            stored = (cell.soc - was.soc) / 100 * cell.battery.capacity * 1000
            assert stored <= -cell.power / 60 + 1e-6
        assert abs(now.battery) <= CONFIG.system.max_total_power
        assert now.house == pytest.approx(now.solar + now.battery + now.grid)
        before = now


def grids(limits: Limits, month: int = 5) -> list[Moment]:
    start = beginning(CONFIG, datetime(2026, month, 4, tzinfo=UTC))
    return list(run(CONFIG, limits, start, start.at + timedelta(days=1), timedelta(minutes=5)))


def test_the_battery_keeps_the_house_off_the_grid() -> None:
    bought = energy([max(0.0, moment.grid) for moment in grids(LIMITS)])
    without = energy([max(0.0, moment.grid) for moment in grids(evolve(LIMITS, dry_run=True))])
    assert bought < 0.6 * without


def test_a_dry_run_leaves_the_batteries_alone() -> None:
    assert {moment.battery for moment in grids(evolve(LIMITS, dry_run=True))} == {0.0}


def test_winter_mode_keeps_a_reserve() -> None:
    assert min(cell.soc for moment in grids(LIMITS, 12) for cell in moment.cells) < 20
    assert min(cell.soc for moment in grids(evolve(LIMITS, winter_mode=True), 12) for cell in moment.cells) > 29


def test_inside_the_deadband_nothing_is_changed() -> None:
    start = beginning(CONFIG, datetime(2026, 5, 4, 2, tzinfo=UTC))
    settled = list(run(CONFIG, LIMITS, start, start.at + timedelta(seconds=20), timedelta(seconds=2)))[-1]
    calm = evolve(settled, house=settled.solar + settled.battery + 20)
    after = step(CONFIG, LIMITS, calm, calm.at + timedelta(seconds=2))
    assert after.battery == pytest.approx(calm.battery)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ({"system.dry_run": True}, evolve(LIMITS, dry_run=True)),
        ({"system.deadband": 40, "theirs": 1}, evolve(LIMITS, deadband=40)),
        ({"system.dry_run": 1, "system.deadband": True, "system.loop_interval_seconds": 0}, LIMITS),
        ({"system.max_total_power": -1, "features.winter_mode": "yes"}, LIMITS),
    ],
)
def test_an_override_counts_when_it_makes_sense(override: dict[str, object], expected: Limits) -> None:
    assert limits(CONFIG, override) == expected
