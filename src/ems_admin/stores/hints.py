"""Hints for open pages, held in this process: which topic has changed, and how often.

Nobody depends on a hint: who misses one reads the state all the same. Source: `http.md` 5.3 (events).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from attrs import define, field


@define(eq=False)
class Hints:
    """The revisions by topic. Mutable: it counts."""

    _revisions: dict[str, int] = field(factory=dict, init=False)
    _waiting: set[asyncio.Event] = field(factory=set, init=False)

    def publish(self, topic: str) -> None:
        """Count a change and wake whoever listens."""
        self._revisions[topic] = self._revisions.get(topic, 0) + 1
        for event in self._waiting:
            event.set()

    @property
    def revisions(self) -> Mapping[str, int]:
        """The revision of every topic that has changed since this process began."""
        return dict(self._revisions)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[asyncio.Event]:
        """Give an event that is set at each change; the listener clears it and compares revisions.

        One event for any number of changes: a slow page falls behind in hints, never in truth.
        """
        event = asyncio.Event()
        self._waiting.add(event)
        try:
            yield event
        finally:
            self._waiting.discard(event)
