"""A believable day: the sun over a tilted roof with passing clouds, and a household that cooks and washes.

Pure functions of the time: the same moment always gives the same watts, so that yesterday, today and the forecast are
one curve. Nothing here is measured; a real EMS would ask its devices.
"""

from __future__ import annotations

import hashlib
import math
from datetime import datetime
from functools import lru_cache

from attrs import frozen

LATITUDE = math.radians(50)
TILT = math.radians(35)
AXIS = math.radians(23.45)
NOON = 12.4
HAZE = 0.16
"""How much of the light a vertical way through the air takes."""
MODULES_PER_INVERTER = 1.2
"""Roofs carry more modules than their inverter can feed in."""
STANDBY = 160.0
COOLING, COOLING_CYCLE = 17, 47
"""Minutes that the refrigerator runs, and after which it runs again."""


@frozen
class Appliance:
    """Something in the household that runs about once a day: when (hours), how long (minutes), watts, and how often."""

    hour: float
    minutes: float
    watts: float
    share_of_days: float = 1.0
    shift: float = 0.6
    """Hours by which the beginning varies from day to day."""


APPLIANCES = (
    Appliance(6.7, 4, 1900),
    Appliance(6.9, 12, 850),
    Appliance(7.6, 25, 420),
    Appliance(9.5, 70, 480, 0.6, 1.5),
    Appliance(12.2, 24, 1700, 0.8, 0.5),
    Appliance(13.4, 55, 950, 0.45, 1.2),
    Appliance(15.8, 6, 1800, 0.9, 1.2),
    Appliance(18.4, 38, 2100, 0.95, 0.6),
    Appliance(19.6, 85, 620, 0.7, 0.7),
    Appliance(20.2, 150, 210, 1.0, 0.5),
    Appliance(21.8, 5, 1700, 0.5, 0.6),
)


def noise(seed: str, position: float) -> float:
    """Give a smooth value between 0 and 1 that seems random and is not."""
    step = math.floor(position)
    along = position - step
    eased = along * along * (3 - 2 * along)
    return dice(f"{seed}{step}") * (1 - eased) + dice(f"{seed}{step + 1}") * eased


@lru_cache(maxsize=8192)
def dice(name: str) -> float:
    """Give a value between 0 and 1 that belongs to a name."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest()) / 2**32


def sunlight(moment: datetime) -> float:
    """Give the share of the modules' peak power that a clear sky would give, 0 to about 0.9."""
    day = moment.timetuple().tm_yday
    declination = AXIS * math.sin(2 * math.pi * (day - 81) / 365)
    hour = hour_of(moment)
    angle = math.radians(15 * (hour - 12.4))
    elevation = math.sin(LATITUDE) * math.sin(declination) + math.cos(LATITUDE) * math.cos(declination) * math.cos(
        angle
    )
    if elevation <= 0:
        return 0.0
    facing = math.sin(declination) * math.sin(LATITUDE - TILT)
    facing += math.cos(declination) * math.cos(LATITUDE - TILT) * math.cos(angle)
    air = 1 / (elevation + 0.05)
    return max(0.0, 0.12 * elevation + 0.92 * max(0.0, facing)) * math.exp(-HAZE * air) * 1.1


def clouds(moment: datetime) -> float:
    """Give the share of the light that the clouds let through: calm mornings, passing clouds, hardly ever dark."""
    name = moment.date().isoformat()
    hours = hour_of(moment)
    cover = 0.15 + 0.5 * dice(f"cover {name}")
    veil = noise(f"veil {name}", hours * 0.7) * cover
    passing = max(0.0, noise(f"passing {name}", hours * 5) - 0.55) * 1.6 * cover
    return max(0.15, 1 - veil * 0.5 - passing)


def solar(moment: datetime, max_power: int) -> float:
    """Give the watts of one inverter."""
    return min(float(max_power), max_power * MODULES_PER_INVERTER * sunlight(moment) * clouds(moment))


def household(moment: datetime) -> float:
    """Give the watts that the household takes."""
    seconds, hour, today = moment.timestamp(), hour_of(moment), moment.toordinal()
    in_cycle = (seconds / 60) % COOLING_CYCLE
    refrigerator = 85 * smooth(in_cycle / 2) * smooth((COOLING - in_cycle) / 2)
    flicker = 45 * noise("flicker", seconds / 19) + 60 * noise("presence", seconds / 1500)
    running = sum(use.watts(60 * (hour - use.began)) for use in uses(today))
    running += sum(use.watts(60 * (hour + 24 - use.began)) for use in uses(today - 1))
    return STANDBY + refrigerator + flicker + running


@frozen(kw_only=True)
class Use:
    """One appliance on one day: when it began (hours) and how long it runs (minutes)."""

    name: str
    appliance: Appliance
    began: float
    length: float

    def watts(self, minutes: float) -> float:
        """Give what it takes so many minutes after it began."""
        if not 0 < minutes < self.length:
            return 0.0
        wave = 0.88 + 0.24 * noise(f"wave {self.name}", minutes / 3)
        return self.appliance.watts * wave * smooth(minutes / 0.4) * smooth((self.length - minutes) / 0.4)


@lru_cache(maxsize=4)
def uses(day: int) -> tuple[Use, ...]:
    """Give what runs on a day: its number is that of the calendar."""
    names = ((appliance, f"{number} {day}") for number, appliance in enumerate(APPLIANCES))
    return tuple(
        Use(
            name=name,
            appliance=appliance,
            began=appliance.hour + appliance.shift * (2 * dice(f"when {name}") - 1),
            length=appliance.minutes * (0.75 + 0.5 * dice(f"long {name}")),
        )
        for appliance, name in names
        if dice(f"runs {name}") < appliance.share_of_days
    )


def smooth(value: float) -> float:
    """Rise from 0 to 1 without a jump."""
    held = min(1.0, max(0.0, value))
    return held * held * (3 - 2 * held)


def hour_of(moment: datetime) -> float:
    """Give the time of day in hours."""
    return moment.hour + moment.minute / 60 + (moment.second + moment.microsecond / 1e6) / 3600
