"""The digest of a program tree: natively it is what an image digest is to Docker.

SHA-256 over one line a file, `<sha256> <0|1 executable> <path>`, sorted by path. Owner, times and all other bits of
the mode do not enter, so that the same program has the same digest wherever it was unpacked.
Source: `site.md` 8, digests natively.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from attrs import frozen


@frozen(kw_only=True)
class TreeFile:
    """One regular file of a tree; `path` is relative to the tree, with forward slashes."""

    path: str
    sha256: str
    executable: bool

    @property
    def line(self) -> str:
        """What this file adds to the digest."""
        return f"{self.sha256} {int(self.executable)} {self.path}\n"


def tree_digest(files: Iterable[TreeFile]) -> str:
    """Give the digest of a tree of these files, as 64 hex digits; their order does not matter."""
    lines = (file.line for file in sorted(files, key=lambda file: file.path))
    return hashlib.sha256("".join(lines).encode()).hexdigest()
