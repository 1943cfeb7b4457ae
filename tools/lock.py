"""Remake the lock files from pyproject.toml: `python -m tools.lock`.

One lock a purpose, each with the hash of every file that may be installed:

| lock                       | from                               | needed by                          |
|----------------------------|------------------------------------|------------------------------------|
| requirements.lock          | [project.dependencies]             | whoever runs the Admin             |
| requirements-build.lock    | group `build`                      | whoever installs it from source    |
| requirements-node.lock     | group `node`                       | whoever has no Node of their own   |
| requirements-dev.lock      | group `dev`                        | whoever tests it                   |

A later lock takes an earlier one as its constraint, so that all of them fit into one environment. The SHA-256 of
requirements.lock is what a System Build calls `requires`.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {
    "": ROOT / "requirements.lock",
    "build": ROOT / "requirements-build.lock",
    "node": ROOT / "requirements-node.lock",
    "dev": ROOT / "requirements-dev.lock",
}
QUIET = (  # the lock names packages and hashes, never the index of the machine that made it
    "--no-emit-options",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--no-emit-trusted-host",
)


def wanted(group: str) -> list[str]:
    """Give the requirement lines of a dependency group; of the project itself for the empty name."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lines: list[str] = declared["dependency-groups"][group] if group else declared["project"]["dependencies"]
    return lines


def compile_lock(group: str, constraints: list[Path], *, upgrade: bool) -> None:
    """Write the lock of one group, keeping the pins it has unless `upgrade`."""
    lock = LOCKS[group]
    arguments = ["--quiet", "--generate-hashes", "--allow-unsafe", "--strip-extras", *QUIET]
    arguments += [f"--constraint={path.name}" for path in constraints]
    arguments += ["--upgrade"] if upgrade else []
    subprocess.run(
        [sys.executable, "-m", "piptools", "compile", *arguments, f"--output-file={lock.name}", "-"],
        cwd=ROOT,
        check=True,
        text=True,
        input="\n".join(wanted(group)),
        env=os.environ | {"CUSTOM_COMPILE_COMMAND": "make lock"},
    )


def main() -> None:
    """Remake all locks; `--upgrade` takes the newest versions that pyproject.toml allows."""
    made: list[Path] = []
    for group, lock in LOCKS.items():
        compile_lock(group, made, upgrade="--upgrade" in sys.argv[1:])
        made.append(lock)


if __name__ == "__main__":
    main()
