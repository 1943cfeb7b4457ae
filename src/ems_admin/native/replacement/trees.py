"""The Admin's own programs: `<install>/programs/<build>/`, with the `system-build.json` that says who they are.

Source: `replacement.md` 7.2, 7.8; `faults.md` F20, F21.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from attrs import frozen

from ems_admin.codec import DecodeError, decode
from ems_admin.engines.disk import disk_failure, replace_file
from ems_admin.engines.masking import mask
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest
from ems_admin.native import programs
from ems_admin.native.place import Place, is_plain
from ems_admin.native.programs import BUILD_ID, NamedProgram
from ems_admin.workflows.ports.engine import Done, EngineFailure

ADMIN: Final = "admin"
"""Which of the programs of a build it is."""
DIRECTORY: Final = "programs/admin"
"""Where the program lies in a tree that no manifest describes: that of an Admin which was installed otherwise."""
MANIFEST: Final = "system-build.json"
PACKED_MANIFEST: Final = "manifest.json"
LARGEST: Final = 1024 * 1024
LINES: Final = 20
SMOKE: Final = timedelta(seconds=60)
"""For a command that does next to nothing, on a machine that is busy."""


@frozen(kw_only=True)
class AdminTree:
    """The program of one build, where it is run from."""

    build_id: str
    home: Path
    """Where the programs of all builds lie."""
    root: Path
    """What Python finds the package in."""
    sha256: str | None
    """What its manifest says of it; `None` without one."""

    def command(self, python: str, *arguments: str) -> tuple[str, ...]:
        """Say how it is run. The directory that it is started in must not get before it (`-P`)."""
        return (python, "-P", "-m", "ems_admin", *arguments)

    def environment(self, inherited: Mapping[str, str]) -> dict[str, str]:
        """Give an environment in which Python finds this program first, and writes nothing into it."""
        before = inherited.get("PYTHONPATH", "").split(os.pathsep)
        kept = (place for place in before if place and not Path(place).is_relative_to(self.home))
        path = os.pathsep.join((str(self.root), *kept))
        return {**inherited, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def tree_of(place: Place, build_id: str) -> AdminTree | None:
    """Find the program of a build; `None` when there is none that could be run."""
    if not BUILD_ID.fullmatch(build_id):
        return None
    directory, sha256 = DIRECTORY, None
    try:
        document = place.program(build_id, MANIFEST)
        if document.is_file():
            program = decode(document.read_bytes(), Manifest, limit=LARGEST).programs[ADMIN]
            directory, sha256 = program.directory, program.sha256
    except (OSError, DecodeError, KeyError):
        return None
    root = place.program(build_id, directory)
    if not is_plain(directory) or not (root / "ems_admin" / "__main__.py").is_file():
        return None
    return AdminTree(build_id=build_id, home=place.programs, root=root, sha256=sha256)


def is_whole(tree: AdminTree | None, digest: str | None) -> bool:
    """Hash a program again, and hold it against a digest; without one only that it can be read is asked."""
    if tree is None:
        return False
    try:
        return digest in {None, programs.digest(tree.root)}
    except (OSError, programs.UnsafeTreeError):
        return False


def bring(place: Place, tag: str, build_id: str) -> Done | EngineFailure:
    """Bring the program of an imported build to where it is run, durably, its manifest last."""
    try:
        document = (place.releases / tag / PACKED_MANIFEST).read_bytes()
        manifest = decode(document, Manifest, limit=LARGEST)
        program = manifest.programs.get(ADMIN)
        if program is None or manifest.build_id != build_id or not is_plain(program.directory):
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=ADMIN)
        brought = programs.bring(place, manifest, NamedProgram(name=ADMIN, program=program))
        if isinstance(brought, Done):
            make_durable(place.program(build_id, program.directory))
            replace_file(place.program(build_id, MANIFEST), document)
    except FileNotFoundError:
        return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=ADMIN)
    except DecodeError:
        return EngineFailure(code=Code.SYSTEM_BUILD_RESOURCES_INVALID, detail=PACKED_MANIFEST)
    except OSError as error:
        return disk_failure(error)
    return brought


def make_durable(root: Path) -> None:
    """Flush a tree and the folders that lead to it: after a power cut nobody could bring it anew. Raises `OSError`."""
    places = [Path(place) / name for place, _, names in os.walk(root) for name in names]
    folders = [Path(place) for place, _, _ in os.walk(root, topdown=False)]
    for place in (*places, *folders, *list(root.parents)[:3]):
        handle = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def smoke(tree: AdminTree, python: str) -> Done | EngineFailure:
    """Run the program for a trivial answer: which build it is. It touches nothing."""
    try:
        ran = subprocess.run(  # noqa: S603  # a tree whose digest has just been verified
            tree.command(python, "--version"),
            env=tree.environment(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SMOKE.total_seconds(),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return EngineFailure(code=Code.IMAGE_SMOKE_FAILED, detail=ADMIN, message=str(error))
    if ran.returncode != 0 or tree.build_id not in ran.stdout.decode(errors="replace").split():
        said = (ran.stderr or ran.stdout).decode(errors="replace").splitlines()[-LINES:]
        message = "\n".join(mask(line) for line in said) or None
        return EngineFailure(code=Code.IMAGE_SMOKE_FAILED, detail=ADMIN, message=message)
    return Done()
