"""The packages of requirements.lock as wheels for the Python of the base: fetched once, by their hashes."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.house.tracked import ROOT
from tests.lab.base import PYTHON
from tests.lab.cache import kept, key

LOCK: Final = ROOT / "requirements.lock"
SYSTEMS: Final = ("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014", "linux")


def wheels() -> Path:
    """Give the folder of the wheels."""
    return kept("wheels", key(LOCK.read_bytes(), PYTHON, platform.machine()), _fetch)


def _fetch(into: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "--no-deps"]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={PYTHON}", f"--dest={into}"]
    command += [f"--platform={system}_{platform.machine()}" for system in SYSTEMS]
    subprocess.run([*command, "-r", str(LOCK)], check=True, capture_output=True)
