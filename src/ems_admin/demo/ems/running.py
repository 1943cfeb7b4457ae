"""The EMS as it runs: the loop, what it remembers of the day, and how it says that it is well."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from .config import Config
from .control import Limits, Moment, beginning, run, step
from .runtime_state import RuntimeState, UnreadableError, limits

BUILD = Path(__file__).with_name("build.json")
MINUTE = timedelta(minutes=1)
SAMPLE = timedelta(minutes=5)
RECENT = timedelta(minutes=10)
PATIENCE = 3
"""Intervals after which a loop that did nothing has failed."""


@frozen(kw_only=True)
class Build:
    """Which build this EMS is. `defect` names a part that a build packed for demonstration leaves broken."""

    system_tag: str
    build_id: str
    revision: str
    defect: str | None


UNPACKED = Build(system_tag="unpacked", build_id="unpacked", revision="0" * 40, defect=None)


def own_build() -> Build:
    """Read which build this is; an EMS that runs from its sources was never packed."""
    if not BUILD.exists():
        return UNPACKED
    return Build(**json.loads(BUILD.read_bytes()))


@define
class Ems:
    """The running system; mutable because it is what happens. One task drives it, requests only read."""

    config: Config
    state: RuntimeState
    build: Build
    limits: Limits = field(init=False)
    now: Moment = field(init=False)
    today: list[Moment] = field(factory=list)
    forecast: tuple[Moment, ...] = ()
    recent: deque[Moment] = field(factory=deque)
    stepped_at: float = field(factory=time.monotonic)
    state_readable: bool = True

    def begin(self, at: datetime) -> None:
        """Live through yesterday and today up to now, so that the charge of the batteries is no invention."""
        self.converge()
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
        self.now = beginning(self.config, midnight - timedelta(days=1))
        for until, pace in ((midnight, SAMPLE), (at - RECENT, MINUTE), (at, self.interval)):
            for moment in run(self.config, self.limits, self.now, until, pace):
                self.remember(moment)
        self.look_ahead()

    @property
    def interval(self) -> timedelta:
        """The time between two steps."""
        return timedelta(seconds=self.limits.loop_interval_seconds)

    async def live(self) -> None:
        """Step for ever. A build with a broken loop never takes the first step."""
        if self.build.defect == "control_loop":
            return
        while True:
            await asyncio.sleep(self.interval.total_seconds())
            self.converge()
            self.remember(step(self.config, self.limits, self.now, datetime.now().astimezone()))

    def converge(self) -> None:
        """Go by the overrides as they are now; unreadable ones change nothing."""
        try:
            overrides = self.state.overrides()
        except UnreadableError:
            self.state_readable = False
            overrides = {}
        else:
            self.state_readable = True
        self.limits = limits(self.config, overrides)

    def remember(self, moment: Moment) -> None:
        """Keep a moment where the dashboard will look for it."""
        self.now = moment
        self.stepped_at = time.monotonic()
        self.recent.append(moment)
        while moment.at - self.recent[0].at > RECENT:
            self.recent.popleft()
        if self.today and self.today[-1].at.date() != moment.at.date():
            self.today.clear()
        if not self.today or moment.at - self.today[-1].at >= SAMPLE:
            self.today.append(moment)
            if self.forecast:
                self.look_ahead()

    def look_ahead(self) -> None:
        """Run the rest of the day, as the same house and the same sun will have it."""
        end = self.now.at.replace(hour=23, minute=59, second=59)
        self.forecast = tuple(run(self.config, self.limits, self.now, end, SAMPLE))

    @property
    def loop_is_alive(self) -> bool:
        """Whether the loop has taken a step lately."""
        silent = time.monotonic() - self.stepped_at
        return self.build.defect != "control_loop" and silent < PATIENCE * self.interval.total_seconds() + 2

    def health(self) -> tuple[bool, dict[str, Any]]:
        """Say whether the EMS is well, and which of its parts are."""
        checks = {
            "config": "ok",
            "control_loop": "ok" if self.loop_is_alive else "failed",
            "runtime_state": "ok" if self.state_readable else "ignored",
        }
        well = "failed" not in checks.values()
        return well, {
            "status": "healthy" if well else "unhealthy",
            "build_id": self.build.build_id,
            "revision": self.build.revision,
            "checks": checks,
        }

    def energies(self) -> dict[str, float]:
        """Add up today's energies in kilowatt-hours."""
        totals = dict.fromkeys(("solar", "house", "imported", "exported"), 0.0)
        for hours, moment in self.spans():
            totals["solar"] += moment.solar * hours / 1000
            totals["house"] += moment.house * hours / 1000
            totals["imported"] += max(0.0, moment.grid) * hours / 1000
            totals["exported"] += max(0.0, -moment.grid) * hours / 1000
        return totals

    def spans(self) -> Iterator[tuple[float, Moment]]:
        """Give today's moments with the hours that each stands for."""
        ends = [*(moment.at for moment in self.today[1:]), self.now.at]
        for moment, end in zip(self.today, ends, strict=True):
            yield (end - moment.at).total_seconds() / 3600, moment
