"""The base of the lab's images: a small Debian with Python, made here, because no public registry is asked.

`BASE` of the Dockerfile is an argument for this very reason. It is one tar of fixed names, times and order.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from tests.lab.cache import kept, key

SUITE: Final = "bookworm"
PYTHON: Final = "3.11"
"""What that suite has."""
PACKAGES: Final = "python3,python3-venv,ca-certificates"
NOT_NEEDED: Final = ("usr/share/doc", "usr/share/locale", "usr/share/man", "var/cache/apt", "var/lib/apt/lists", "dev")
RECIPE: Final = key(SUITE, PACKAGES, *NOT_NEEDED)


def base_tar() -> Path:
    """Give the tar of the base; the first time that takes about a minute."""
    return kept("base", RECIPE, _make) / "base.tar"


def _make(into: Path) -> None:
    with tempfile.TemporaryDirectory(dir=into) as tree:
        root = Path(tree) / "root"
        command = ("debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(root))
        subprocess.run(command, check=True, capture_output=True, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
        for folder in NOT_NEEDED:
            shutil.rmtree(root / folder, ignore_errors=True)
            (root / folder).mkdir()
        pack(root, into / "base.tar")


def pack(root: Path, tar: Path) -> None:
    """Write a tree as a tar."""
    with tarfile.open(tar, "w", format=tarfile.PAX_FORMAT) as written:
        written.add(root, arcname=".", filter=_timeless)


def _timeless(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime = 0
    member.uname = member.gname = ""
    return member
