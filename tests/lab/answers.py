"""What an Admin answers at an address, asked once."""

from __future__ import annotations

import json
import urllib.request
from typing import Any, Final

SECONDS: Final = 2.0


def health(url: str) -> dict[str, Any] | None:
    """Give what the Admin at `url` says of itself; `None` when nobody answers."""
    try:
        with urllib.request.urlopen(f"{url}/api/admin/health", timeout=SECONDS) as answer:
            found: dict[str, Any] = json.load(answer)
    except (OSError, ValueError):
        return None
    return found
