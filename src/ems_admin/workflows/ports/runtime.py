"""What the EMS goes by while it runs, over its config: a file of its own, of which a few keys are the Admin's to set.

Source: `site.md` 9 (W9), 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol, TypeAlias

RuntimeValue: TypeAlias = bool | int


class RuntimeSync(StrEnum):
    """Whether the EMS that runs goes by the config that was just written."""

    SYNCED = "synced"
    ABSENT = "absent"
    """No EMS has run here: the next one reads its config."""
    UNREADABLE = "unreadable"
    """The file says nothing that can be used, and is the EMS's to mend."""
    FAILED = "failed"
    """It could not be written; the EMS goes by the config from its next start on."""


class RuntimeState(Protocol):
    """`data/runtime-state.json`."""

    async def converge(self, values: Mapping[str, RuntimeValue]) -> RuntimeSync:
        """Set exactly these keys and keep all others. Never refuses: the config is written, whatever comes of this."""
        ...
