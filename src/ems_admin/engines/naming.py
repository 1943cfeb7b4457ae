"""The name by which the processes and containers of one site are known on a host that may run several.

Source: `site.md` 8 (`<site>`).
"""

from __future__ import annotations

import hashlib
from pathlib import Path


def site_name(install_root: Path) -> str:
    """Give the first 16 hex digits of the SHA-256 of the resolved install root."""
    return hashlib.sha256(str(install_root.resolve()).encode()).hexdigest()[:16]
