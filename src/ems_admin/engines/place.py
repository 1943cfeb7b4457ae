"""Where a site lies, and the name by which its processes and containers are known on a host that may run several.

Source: `site.md` 4, 8; `faults.md` D3.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from attrs import field, frozen


def absolute(path: Path) -> Path:
    """Make a folder absolute."""
    return path.absolute()


@frozen(kw_only=True)
class SitePlace:
    """The folders of one site. All are made absolute: what is started works in a directory of its own."""

    install_root: Path = field(converter=absolute)
    admin_data: Path = field(converter=absolute)

    @property
    def site(self) -> str:
        """The first 16 hex digits of the SHA-256 of the resolved install root."""
        return hashlib.sha256(str(self.install_root.resolve()).encode()).hexdigest()[:16]

    @property
    def config(self) -> Path:
        """What the EMS reads."""
        return self.install_root / "config"

    @property
    def data(self) -> Path:
        """What the EMS writes."""
        return self.install_root / "data"
