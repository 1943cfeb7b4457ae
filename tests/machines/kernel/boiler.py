"""The smallest record that shows every word of the kernel: a boiler and its whistle."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.kernel import HOLDS, Beginning, Edge, Effect, Machine, Regions, Trigger, guard


class Heat(StrEnum):
    """How the boiler stands."""

    COLD = "cold"
    HOT = "hot"
    SCRAPPED = "scrapped"


class Whistle(StrEnum):
    """Whether it can be heard."""

    QUIET = "quiet"
    BLOWING = "blowing"


class Answer(StrEnum):
    """All that boiler and whistle may say instead of moving."""

    NO_WATER = "no_water"
    GAUGE_BROKEN = "gauge_broken"
    OVERPRESSURE = "overpressure"
    HOT_ALREADY = "hot_already"
    SCRAP = "scrap"
    NO_BOILER = "no_boiler"
    STANDS_ALREADY = "stands_already"
    NO_PERMIT = "no_permit"


@frozen(kw_only=True)
class Boiler:
    """The record: a slot each, and a count that no machine reads."""

    heat: Heat
    whistle: Whistle
    fires: int


class Gauge(StrEnum):
    """What the water gauge shows."""

    FULL = "full"
    EMPTY = "empty"
    BROKEN = "broken"


@frozen(kw_only=True)
class Fire:
    """What was found out before anybody lights a fire."""

    water: Gauge = Gauge.FULL
    pressure: int = 1


@frozen
class Moment:
    """Nothing needs to be known."""


@frozen
class Permit:
    """What is needed to put a boiler up."""

    granted: bool = True


@frozen
class OpenValve(Effect):
    """Let the steam out."""

    fires: int


BUILD: Final = Trigger("build", Permit)
LIGHT: Final = Trigger("light", Fire)
COOL: Final = Trigger("cool", Moment)
SCRAP: Final = Trigger("scrap", Moment)


@guard({Gauge.FULL: HOLDS, Gauge.EMPTY: Answer.NO_WATER, Gauge.BROKEN: Answer.GAUGE_BROKEN})
def there_is_water(_boiler: Boiler, fire: Fire) -> Gauge:
    """The gauge shows water."""
    return fire.water


@guard(Answer.OVERPRESSURE)
def pressure_is_low(_boiler: Boiler, fire: Fire) -> bool:
    """The pressure is low enough for another fire."""
    return fire.pressure < 9


@guard(Answer.NO_PERMIT)
def permit_is_granted(_predecessor: Boiler | None, permit: Permit) -> bool:
    """The boiler may stand here."""
    return permit.granted


def count(boiler: Boiler, _fire: Fire) -> Boiler:
    """Remember the fire."""
    return evolve(boiler, fires=boiler.fires + 1)


def let_steam_out(boiler: Boiler, _fire: Fire) -> tuple[Effect, ...]:
    """Promise the valve."""
    return (OpenValve(boiler.fires),)


COLD, HOT, SCRAPPED = Heat.COLD, Heat.HOT, Heat.SCRAPPED
QUIET, BLOWING = Whistle.QUIET, Whistle.BLOWING

HEAT: Final = Machine[Boiler, Heat](
    name="heat",
    states=Heat,
    reads=lambda boiler: boiler.heat,
    writes=lambda boiler, heat: evolve(boiler, heat=heat),
    initial=(COLD,),
    final=(SCRAPPED,),
    codes=Answer,
    edges=(
        Edge(LIGHT, COLD, HOT, guards=(there_is_water,), assigns=count, effects=let_steam_out),
        Edge(COOL, HOT, COLD),
        Edge(COOL, COLD, COLD),
        Edge(SCRAP, (COLD, HOT), SCRAPPED),
        Edge(SCRAP, SCRAPPED, SCRAPPED),
    ),
    otherwise={LIGHT: {HOT: Answer.HOT_ALREADY, SCRAPPED: Answer.SCRAP}, COOL: Answer.SCRAP},
)

WHISTLE: Final = Machine[Boiler, Whistle](
    name="whistle",
    states=Whistle,
    reads=lambda boiler: boiler.whistle,
    writes=lambda boiler, whistle: evolve(boiler, whistle=whistle),
    initial=(QUIET,),
    codes=Answer,
    edges=(
        Edge(LIGHT, (QUIET, BLOWING), QUIET, guards=(pressure_is_low,)),
        Edge(LIGHT, (QUIET, BLOWING), BLOWING, unless=(pressure_is_low,), answers=Answer.OVERPRESSURE),
    ),
    otherwise={},
)


def built(_permit: object) -> Boiler:
    """Put a new one up."""
    return Boiler(heat=COLD, whistle=QUIET, fires=0)


ENGINE_ROOM: Final = Regions[Boiler](
    name="engine_room",
    begins=Beginning(BUILD, guards=(permit_is_granted,), creates=built, otherwise=Answer.STANDS_ALREADY),
    absent=Answer.NO_BOILER,
    machines=(HEAT, WHISTLE),
)
