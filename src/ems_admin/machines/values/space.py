"""How much room is little room. Bytes."""

from __future__ import annotations

from typing import Final

MIB: Final = 1024 * 1024
NEARLY_FULL: Final = 200 * MIB
"""Below this people are warned: it is room for one more build and a backup."""
