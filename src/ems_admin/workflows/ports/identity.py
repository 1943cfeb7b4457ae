"""Which build this very Admin is, and how sure that is by now.

Source: `site.md` 8 (own identity); `faults.md` D1, F19.
"""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from ems_admin.machines.records.build import OwnIdentity


class Identity(Protocol):
    """What an Admin knows of itself."""

    @property
    def known(self) -> OwnIdentity | None:
        """Give it as far as it is known now; without a digest while the engine has not been heard; `None` unread."""
        ...

    async def learn(self) -> None:
        """Ask for what is missing; nothing when nothing is. Never raises: an engine that is silent is asked later."""
        ...


@frozen
class KnownIdentity:
    """An identity that is known for good, or never will be. Implements `Identity`."""

    known: OwnIdentity | None

    async def learn(self) -> None:
        """There is nothing to learn."""
