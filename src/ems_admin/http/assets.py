"""The files of the console, as they were built: read once, handed out as they are.

What has a hash in its name may be kept for ever, the page itself is asked for each time.
Source: `http.md` 5.4 (health checks); `faults.md` F26.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from attrs import frozen

HASHED: Final = "assets/"
PAGE: Final = "index.html"
_NAMED: Final = re.compile(rb"""(?:src|href)="/([^"]+)\"""")

UNBUILT: Final = (
    b"<!doctype html><html lang='en'><meta charset='utf-8'><title>EMS Admin</title>"
    b"<h1>The console is not built</h1>"
    b"<p>Everything else of the Admin works. Run <code>make console</code> in the checkout, then load this page "
    b"again after a restart.</p></html>"
)


@frozen(kw_only=True)
class Asset:
    """One file for a browser."""

    data: bytes
    content_type: str
    keep: bool
    """Its name changes with its bytes."""


@frozen(kw_only=True)
class Assets:
    """Everything that was built, by its path below `/`."""

    by_path: Mapping[str, Asset]

    @classmethod
    def built(cls) -> Assets:
        """Read what lies in `console/dist`; nothing, when nobody has built it."""
        root = files("ems_admin.http") / "console" / "dist"
        return cls(by_path=dict(_below(root, "")) if root.is_dir() else {})

    @property
    def complete(self) -> bool:
        """Whether the page is there, and every file that it names."""
        page = self.by_path.get(PAGE)
        return page is not None and all(name.decode() in self.by_path for name in _NAMED.findall(page.data))

    def find(self, path: str) -> Asset | None:
        """Give the file of a path below `/`; every address that names no file shows the page, which knows its places.

        `None` for a file that is not there.
        """
        name = path.lstrip("/")
        found = self.by_path.get(name)
        if found is not None or name.startswith(HASHED) or "." in name.rpartition("/")[2]:
            return found
        return self.by_path.get(PAGE, Asset(data=UNBUILT, content_type="text/html", keep=False))


def _below(folder: Traversable, prefix: str) -> list[tuple[str, Asset]]:
    found: list[tuple[str, Asset]] = []
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            found += _below(entry, f"{name}/")
        else:
            content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
            asset = Asset(data=entry.read_bytes(), content_type=content_type, keep=name.startswith(HASHED))
            found.append((name, asset))
    return found
