"""What the transport itself keeps: sessions, the one-time code, the guesses, the console's files.

None of it is an authority over the site, and a restart is meant to lose all of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from attrs import field, frozen

from ems_admin.http.assets import Assets
from ems_admin.http.metrics import Metrics
from ems_admin.http.sessions import Sessions
from ems_admin.http.throttle import Throttle
from ems_admin.workflows.access import SetupCode
from ems_admin.workflows.house import House


class HintSource(Protocol):
    """Where the hints for open pages come from."""

    @property
    def revisions(self) -> Mapping[str, int]:
        """The revision of every topic that has changed."""
        ...

    def listening(self) -> AbstractAsyncContextManager[asyncio.Event]:
        """Give an event that is set at each change."""
        ...


@frozen(kw_only=True, eq=False)
class Desk:
    """One served site."""

    house: House
    hints: HintSource
    setup_code: SetupCode
    sessions: Sessions
    throttle: Throttle
    assets: Assets
    metrics: Metrics
    trusted_origins: tuple[str, ...] = ()
    closing: asyncio.Event = field(factory=asyncio.Event)
    """Set when the server goes down: streams end by themselves then."""


def desk_for(house: House, hints: HintSource, setup_code: SetupCode, trusted_origins: tuple[str, ...] = ()) -> Desk:
    """Set up a desk for a site that has just been opened."""
    return Desk(
        house=house,
        hints=hints,
        setup_code=setup_code,
        sessions=Sessions(clock=house.clock, ids=house.ids, kept={}),
        throttle=Throttle(clock=house.clock, guesses={}),
        assets=Assets.built(),
        metrics=Metrics.fresh(),
        trusted_origins=trusted_origins,
    )
