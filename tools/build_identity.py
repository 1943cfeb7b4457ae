"""Say what this build is: `python -m tools.build_identity` writes `src/ems_admin/build.json`.

{format_version 1, system_tag, build_id, revision, built_at, requires}: the identity of the Admin, unless image labels
or a `system-build.json` say it (seed 000 §8 "own identity").

- `revision` is the commit, 40 hex; `built_at` its time, so that one revision always gives the same bytes.
- `build_id` is `<version>-<12 hex of the commit>`. A tree that differs from its commit adds `.m` and 8 hex of the
  difference: two different programs never share a build id.
- `requires` is the SHA-256 of requirements.lock: which third-party packages the code was built against.

An unpacked source distribution has no commit to ask; it carries the file from when it was packed.
"""

import hashlib
import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD_JSON = Path("src/ems_admin/build.json")
LOCK = Path("requirements.lock")
VERSION = re.compile(r'^__version__ = "([0-9A-Za-z.+-]+)"$', re.MULTILINE)
BUILD_ID = re.compile(r"[0-9a-z][0-9a-z.-]{0,63}")


class IdentityUnknownError(RuntimeError):
    """Neither a commit nor an earlier build.json says what this tree is."""


def git(root: Path, *arguments: str) -> bytes:
    """Give what git prints about the tree at `root`."""
    return subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True).stdout


def is_checkout(root: Path) -> bool:
    """Tell whether `root` is the top of a git work tree with a commit, not merely a folder inside another one."""
    try:
        top = git(root, "rev-parse", "--show-toplevel").decode().rstrip("\n")
        git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    except (OSError, subprocess.CalledProcessError):
        return False
    return Path(top).resolve() == root.resolve()


def difference(root: Path) -> str:
    """Give 8 hex of how src/ differs from its commit, empty when it does not."""
    changed = git(root, "diff", "--binary", "HEAD", "--", "src", LOCK.as_posix())
    added = git(root, "ls-files", "-z", "--others", "--exclude-standard", "--", "src").split(b"\0")[:-1]
    if not changed and not added:
        return ""
    seen = hashlib.sha256(changed)
    for name in sorted(added):
        seen.update(name + b"\0" + (root / name.decode()).read_bytes())
    return seen.hexdigest()[:8]


def identity(root: Path) -> dict[str, object]:
    """Give the identity of the tree at `root`.

    Raises IdentityUnknownError where neither git nor an earlier build.json can tell.
    """
    if not is_checkout(root):
        try:
            packed: dict[str, object] = json.loads((root / BUILD_JSON).read_bytes())
        except FileNotFoundError:
            raise IdentityUnknownError(f"{root} is no git checkout and has no {BUILD_JSON}") from None
        return packed
    found = VERSION.search((root / "src/ems_admin/__init__.py").read_text())
    if found is None:
        raise IdentityUnknownError("src/ems_admin/__init__.py names no __version__")
    version = found.group(1)
    revision, committed = git(root, "log", "-1", "--format=%H %ct").decode().split()
    edited = difference(root)
    build_id = f"{version}-{revision[:12]}".lower().replace("+", ".") + (f".m{edited}" if edited else "")
    if not BUILD_ID.fullmatch(build_id):
        raise IdentityUnknownError(f"{build_id!r} is no build id")
    return {
        "format_version": 1,
        "system_tag": f"v{version}",
        "build_id": build_id,
        "revision": revision,
        "built_at": datetime.fromtimestamp(int(committed), tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "requires": hashlib.sha256((root / LOCK).read_bytes()).hexdigest(),
    }


def write(root: Path) -> dict[str, object]:
    """Write build.json where it is missing or says something else, and give what it says."""
    now = identity(root)
    text = json.dumps(now, indent=2) + "\n"
    target = root / BUILD_JSON
    if not target.exists() or target.read_text() != text:
        target.write_text(text)
    return now


if __name__ == "__main__":
    try:
        sys.stdout.write(f"build {write(ROOT)['build_id']}\n")
    except IdentityUnknownError as unknown:
        sys.exit(f"build identity: {unknown}")
