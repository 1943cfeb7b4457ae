"""The files of the project: what git tracks, or all of an unpacked source distribution."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = frozenset({".venv", "node_modules", "dist", "test-output", "__pycache__"})


def tracked() -> list[Path]:
    """Give every file that somebody wrote or committed."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True).stdout
        return [ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and not BUILT & set(path.parts)]


def texts(*suffixes: str) -> list[tuple[Path, str]]:
    """Give the tracked files with one of the suffixes, each with its text."""
    return [(path, path.read_text(encoding="utf-8")) for path in tracked() if path.suffix in suffixes]
