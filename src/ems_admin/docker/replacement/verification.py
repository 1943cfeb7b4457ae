"""Whether a new Admin is whole, seen from outside as people see it, stays so, and is what was meant.

Source: `replacement.md` 7.4 (U9); `http.md` 5.4 (health); `faults.md` F22, F25, F26.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from attrs import frozen

from ems_admin.docker.containers import Container, Doing
from ems_admin.docker.replacement.acts import Acts
from ems_admin.docker.replacement.addresses import Address, Seeker
from ems_admin.docker.replacement.comparison import differences
from ems_admin.docker.replacement.recreation import successor_of
from ems_admin.docker.replacement.snapshot import Remembered
from ems_admin.docker.replacement.successor import Successor, mark
from ems_admin.engines.admin_health import ExpectedAdmin, fault, page_is_whole
from ems_admin.engines.asking import Answer
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Run
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Verification

WATCH: Final = timedelta(seconds=1)
"""Between two looks at one that is well."""
WAIT: Final = timedelta(milliseconds=250)
"""Between two looks at one that is not well yet."""
PROCESS, PAGE = "process", "page"

Life: TypeAlias = tuple[str, datetime | None, int]


@frozen(kw_only=True)
class Verifying:
    """Looks at a new Admin. Raises `UnaskedError` when the daemon does not answer."""

    acts: Acts
    seeker: Seeker
    successor: Successor
    stable: timedelta

    async def verify(self, run: Run, old: Remembered, expected: ExpectedAdmin) -> Verification | EngineFailure:
        """Wait until it is well, watch that it stays so, load its page, then compare it with the snapshot."""
        well = await self._becomes_well(run, old, expected)
        if isinstance(well, EngineFailure):
            return well
        stays = await self._stays_well(run, old, expected, well)
        if isinstance(stays, EngineFailure):
            return stays
        if not await page_is_whole(well.url):
            return await self._unhealthy(run, old, PAGE)
        drift = await self._drift(run, old)
        return drift or Verification(published=well.published)

    async def _becomes_well(self, run: Run, old: Remembered, expected: ExpectedAdmin) -> Address | EngineFailure:
        clock, limits = self.acts.clock, self.acts.limits
        patience = clock.boottime() + limits.well.total_seconds()
        while True:
            new = await self.successor.find(run, old.name)
            if new is None or new.doing is not Doing.RUNNING:
                return await self._unhealthy(run, old, PROCESS)
            places = await self.seeker.addresses(new)
            faults = await asyncio.gather(*(fault(place.url, expected) for place in places))
            for place, found in zip(places, faults, strict=True):
                if found is None:
                    return place
            # Where somebody answers, what is wrong there says more than that nobody does elsewhere.
            said = next((found for found in faults if found not in {None, Answer.SILENT.value}), None)
            if said is not None:
                patience = min(patience, clock.boottime() + limits.unwell.total_seconds())
            if clock.boottime() >= patience:
                return await self._unhealthy(run, old, said or Answer.SILENT.value)
            await clock.sleep(WAIT)

    async def _stays_well(
        self, run: Run, old: Remembered, expected: ExpectedAdmin, place: Address
    ) -> Done | EngineFailure:
        clock = self.acts.clock
        first = _life(await self.successor.find(run, old.name))
        end = clock.boottime() + self.stable.total_seconds()
        while clock.boottime() < end:
            await clock.sleep(min(WATCH, self.stable))
            if first is None or _life(await self.successor.find(run, old.name)) != first:
                return await self._unhealthy(run, old, PROCESS)
            if found := await fault(place.url, expected):
                return await self._unhealthy(run, old, found)
        return Done()

    async def _drift(self, run: Run, old: Remembered) -> EngineFailure | None:
        new = await self.successor.find(run, old.name)
        if new is None:
            return await self._unhealthy(run, old, PROCESS)
        image = await self.acts.image(new.image_id)
        if image is None:
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE)
        found = differences(old, successor_of(old, mark(run)), new, image)
        if not found:
            return None
        return EngineFailure(code=Code.REPLACEMENT_CONFIG_DRIFT, detail=found[0], message="\n".join(found))

    async def _unhealthy(self, run: Run, old: Remembered, what: str) -> EngineFailure:
        new = await self.successor.find(run, old.name)
        ended = new is not None and new.doing is Doing.EXITED
        return EngineFailure(
            code=Code.HEALTHCHECK_FAILED,
            detail=what,
            message=await self.acts.words_of(new) if new is not None else None,
            exit_code=new.exit_code if new is not None and ended else None,
        )


def _life(container: Container | None) -> Life | None:
    """Name one uninterrupted life of a container; `None` when it does not run."""
    if container is None or container.doing is not Doing.RUNNING:
        return None
    return container.id, container.started_at, container.restarts
