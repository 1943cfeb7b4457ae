"""Owners and modes of what a deployment has laid down, mended: the config, its secrets, and all that lies in `data`.

Only what stands below the install root itself, by descriptors and never through a link: what is opened is what is
looked at and what is changed. Whoever else has put something there keeps it, and is named.
Source: `http.md` 5.3 (repair-permissions); `seed 000` 2.4; `faults.md` F13, D7.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.files import DirectoryVerdict, RuntimeIdentity

LOOK: Final = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
ALL_BITS: Final = 0o7777


@frozen(kw_only=True)
class Wanted:
    """The bits that a file must have, and those that it may have."""

    least: int
    most: int = ALL_BITS


FOLDER: Final = Wanted(least=0o755)
INNER_FOLDER: Final = Wanted(least=0o700)
CONFIG: Final = Wanted(least=0o644)
SECRETS: Final = Wanted(least=0o600, most=0o600)
DATA: Final = Wanted(least=0o600)

LAID_DOWN: Final = (
    ("config", FOLDER, Code.CONFIG_NOT_WRITABLE),
    ("config/config.json", CONFIG, Code.CONFIG_NOT_WRITABLE),
    ("config/credentials.json", SECRETS, Code.CONFIG_NOT_WRITABLE),
    ("data", FOLDER, Code.WORKSPACE_PERMISSION_DENIED),
)
"""By name. The password of the Admin lies in the same folder, and is no concern of the EMS."""


class ForeignError(Exception):
    """Something there is not ours to change."""


def repair(install_root: Path, identity: RuntimeIdentity) -> tuple[str, ...] | DirectoryVerdict:
    """Mend what can be mended, and name it relative to the install root; or the first that cannot be. Blocking.

    Everything that can be seen is looked at before anything is changed.
    """
    for acts in (False, True):
        mending = Mending(root=install_root, identity=identity, acts=acts)
        for name, wanted, code in LAID_DOWN:
            try:
                mending.mend(name, wanted)
                if name == "data":
                    mending.mend_below(name)
            except ForeignError as foreign:
                return DirectoryVerdict(code=code, detail=str(foreign))
    return tuple(mending.repaired)


@define(kw_only=True)
class Mending:
    """One pass. Mutable: it gathers the names of what it has changed."""

    root: Path
    identity: RuntimeIdentity
    acts: bool
    repaired: list[str] = field(factory=list)

    def mend(self, name: str, wanted: Wanted) -> None:
        """Mend one file or folder. Raises `ForeignError`; what is absent, a link or special is left alone."""
        handle = self._open(name)
        if handle is None:
            return
        try:
            seen = os.fstat(handle)
            if stat.S_ISDIR(seen.st_mode) or stat.S_ISREG(seen.st_mode):
                self._change(name, handle, seen, wanted)
        finally:
            os.close(handle)

    def mend_below(self, name: str) -> None:
        """Mend everything below a folder, the folder before what it holds: so that it can be looked into."""
        for inner, is_folder in self._inside(name):
            self.mend(inner, INNER_FOLDER if is_folder else DATA)
            if is_folder:
                self.mend_below(inner)

    def _inside(self, name: str) -> Iterator[tuple[str, bool]]:
        handle = self._open(name)
        if handle is None:
            return
        try:
            if not stat.S_ISDIR(os.fstat(handle).st_mode):
                return
            with os.scandir(_by(handle)) as listed:
                entries = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in listed)
        except PermissionError:
            return  # not to be looked into before it is mended: the second pass does
        finally:
            os.close(handle)
        for entry, is_folder in entries:
            yield f"{name}/{entry}", is_folder

    def _open(self, name: str) -> int | None:
        """Open for looking, step by step from the root: no folder on the way may be a link."""
        handle = os.open(self.root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        for part in name.split("/"):
            try:
                inner = os.open(part, LOOK, dir_fd=handle)
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                return None
            finally:
                os.close(handle)
            handle = inner
        return handle

    def _change(self, name: str, handle: int, seen: os.stat_result, wanted: Wanted) -> None:
        owned = (seen.st_uid, seen.st_gid) == (self.identity.puid, self.identity.pgid)
        mode = stat.S_IMODE(seen.st_mode)
        right = (mode | wanted.least) & wanted.most
        if owned and mode == right:
            return
        # A second name may lie anywhere, also outside: giving the file away would give that one away as well.
        shared = stat.S_ISREG(seen.st_mode) and seen.st_nlink > 1 and not owned
        if shared or not self._may_change(seen, owned=owned):
            raise ForeignError(f"{name} is {seen.st_uid}:{seen.st_gid}, running as {os.geteuid()}:{os.getegid()}")
        if not self.acts:
            return
        try:
            if not owned:
                os.chown(_by(handle), self.identity.puid, self.identity.pgid)
            os.chmod(_by(handle), right)  # noqa: PTH101  # the descriptor, not a path that may have changed
        except PermissionError as error:
            raise ForeignError(f"{name} is {seen.st_uid}:{seen.st_gid}, running as {os.geteuid()}") from error
        self.repaired.append(name)

    def _may_change(self, seen: os.stat_result, *, owned: bool) -> bool:
        """Say whether the kernel will let us: root may all, everybody else the modes of what is his own."""
        return os.geteuid() == 0 or (owned and seen.st_uid == os.geteuid())


def _by(handle: int) -> str:
    """Name an open file by its descriptor: a name that no link can take over."""
    return f"/proc/self/fd/{handle}"
