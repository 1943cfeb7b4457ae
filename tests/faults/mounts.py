"""Small real file systems, mounted for one test; skipped, with the reason, where mounting is not permitted."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(target: Path, *options: str) -> Iterator[Path]:
    """Mount on `target`: `mounted(folder, "-t", "tmpfs", "-o", "size=64k", "tmpfs")`."""
    done = subprocess.run(["mount", *options, str(target)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting is not permitted here: {done.stderr.strip()}")
    try:
        yield target
    finally:
        subprocess.run(["umount", "--lazy", str(target)], check=True)


def remounted(target: Path, options: str) -> None:
    """Change a mount, to read only for one."""
    subprocess.run(["mount", "-o", f"remount,{options}", str(target)], check=True)
