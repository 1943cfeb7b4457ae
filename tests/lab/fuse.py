"""A fuse in the Admins and updaters of a house: the test's side of `layers/fuse.py`, which says what a point is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Literal

from attrs import frozen


@frozen
class Fuse:
    """At most one is laid at a time."""

    folder: Path
    owner: int

    def lay(
        self,
        point: str,
        *,
        role: Literal["admin", "updater"],
        build: str | None = None,
        does: Literal["kill", "hold"] = "kill",
        times: int = 1,
        then: tuple[str, ...] = (),
    ) -> None:
        """Lay a fuse that kills, or holds, the next process of that role (and build id) which comes to the point.

        With `then` the process after it comes to the next point, and so on.
        """
        self.folder.mkdir(exist_ok=True)
        self.take_away()
        aside = self.folder / ".fuse.json.tmp"
        laid = {"role": role, "build": build, "point": point, "does": does, "times": times, "then": then}
        aside.write_text(json.dumps(laid))
        for place in (self.folder, aside):
            os.chown(place, self.owner, self.owner)
        aside.rename(self._laid)

    @property
    def has_burnt(self) -> bool:
        return self._burnt.exists()

    @property
    def holds(self) -> bool:
        """Say whether a process stands still at the point now."""
        return self._held.exists()

    def take_away(self) -> None:
        """Take it away, burnt or not; a process that it holds goes on."""
        for place in (self._laid, self._burnt, self._held):
            place.unlink(missing_ok=True)

    @property
    def _laid(self) -> Path:
        return self.folder / "fuse.json"

    @property
    def _held(self) -> Path:
        return self.folder / "held.json"

    @property
    def _burnt(self) -> Path:
        return self.folder / "burnt.json"
