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

    def lay(self, point: str, *, role: Literal["admin", "updater"], build: str | None = None) -> None:
        """Lay a fuse that kills the next process of that role (and build id) which comes to the point.

        A point of the kind `record` may be laid at any time; one of the kind `call` is seen by a process that is
        started afterwards, because functions are wired as their module is loaded.
        """
        self.folder.mkdir(exist_ok=True)
        self._burnt.unlink(missing_ok=True)
        aside = self.folder / ".fuse.json.tmp"
        aside.write_text(json.dumps({"role": role, "build": build, "point": point}))
        for place in (self.folder, aside):
            os.chown(place, self.owner, self.owner)
        aside.rename(self._laid)

    @property
    def has_burnt(self) -> bool:
        return self._burnt.exists()

    def take_away(self) -> None:
        """Take it away, burnt or not."""
        self._laid.unlink(missing_ok=True)
        self._burnt.unlink(missing_ok=True)

    @property
    def _laid(self) -> Path:
        return self.folder / "fuse.json"

    @property
    def _burnt(self) -> Path:
        return self.folder / "burnt.json"
