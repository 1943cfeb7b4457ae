"""The control loop: batteries follow the grid meter, so that the house neither buys nor gives away what it can store.

Powers are watts. At the grid meter and the batteries positive means into the house: import, discharge.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from attrs import evolve, frozen

from .config import Battery, Config
from .house import household, solar

WAY = 0.96
"""What is left of energy on one way, in or out."""
WINTER_RESERVE = 30
"""Percent that winter mode keeps, so that the battery is never drained on days that cannot fill it."""
START_SOC = 42.0
TRICKLE = 3.0
"""Percent before a limit from which on a battery slows down."""


@frozen(kw_only=True)
class Limits:
    """What may change while the EMS runs."""

    dry_run: bool
    max_total_power: int
    deadband: int
    loop_interval_seconds: int
    winter_mode: bool


@frozen(kw_only=True)
class Cell:
    """One battery as it stands."""

    battery: Battery
    soc: float
    power: float = 0.0

    def room(self, *, floor: int) -> tuple[float, float]:
        """Give the highest power in and out that charge and limits leave."""
        highest, empty = self.battery.max_power, max(self.battery.min_soc, floor)
        charge = highest * min(1.0, max(0.0, (self.battery.max_soc - self.soc) / TRICKLE))
        discharge = highest * min(1.0, max(0.0, (self.soc - empty) / TRICKLE))
        return charge, discharge

    def after(self, power: float, duration: timedelta) -> Cell:
        """Give the battery after it ran at `power` for a while."""
        hours = duration.total_seconds() / 3600
        energy = -power * hours / 1000 * (WAY if power < 0 else 1 / WAY)
        soc = self.soc + 100 * energy / self.battery.capacity
        return evolve(self, soc=min(float(self.battery.max_soc), max(0.0, soc)), power=power)


@frozen(kw_only=True)
class Moment:
    """Everything that was measured and done at one time."""

    at: datetime
    house: float
    solar: float
    cells: tuple[Cell, ...]

    @property
    def battery(self) -> float:
        """All batteries together."""
        return sum(cell.power for cell in self.cells)

    @property
    def grid(self) -> float:
        """What the meter shows."""
        return self.house - self.solar - self.battery

    @property
    def soc(self) -> float | None:
        """The charge of all batteries together, in percent; `None` without a battery."""
        capacity = sum(cell.battery.capacity for cell in self.cells)
        return sum(cell.soc * cell.battery.capacity for cell in self.cells) / capacity if capacity else None


def beginning(config: Config, at: datetime) -> Moment:
    """Give a first moment, with the batteries at rest."""
    cells = tuple(
        Cell(battery=battery, soc=min(float(battery.max_soc), max(float(battery.min_soc), START_SOC)))
        for battery in config.batteries
    )
    return measured(config, at, cells)


def measured(config: Config, at: datetime, cells: tuple[Cell, ...]) -> Moment:
    """Measure house and roof while the batteries do what they were told."""
    roof = sum(solar(at, inverter.max_power) for inverter in config.inverters)
    return Moment(at=at, house=household(at), solar=roof, cells=cells)


def step(config: Config, limits: Limits, before: Moment, at: datetime) -> Moment:
    """Tell the batteries what to do about what was measured before, let the time pass, and measure again."""
    wanted = before.battery + (before.grid if abs(before.grid) > limits.deadband else 0.0)
    shares = split(before.cells, limits, wanted)
    cells = tuple(cell.after(power, at - before.at) for cell, power in zip(before.cells, shares, strict=True))
    return measured(config, at, cells)


def split(cells: tuple[Cell, ...], limits: Limits, wanted: float) -> tuple[float, ...]:
    """Share a power among the batteries by what each has room for."""
    if limits.dry_run:
        return tuple(0.0 for _ in cells)
    floor = WINTER_RESERVE if limits.winter_mode else 0
    rooms = [cell.room(floor=floor)[wanted > 0] for cell in cells]
    total = sum(rooms)
    power = min(abs(wanted), total, float(limits.max_total_power))
    sign = 1 if wanted > 0 else -1
    return tuple(sign * power * room / total if total else 0.0 for room in rooms)


def run(config: Config, limits: Limits, start: Moment, until: datetime, interval: timedelta) -> Iterator[Moment]:
    """Give the moments from after `start` to `until`."""
    now = start
    while now.at + interval <= until:
        now = step(config, limits, now, now.at + interval)
        yield now
