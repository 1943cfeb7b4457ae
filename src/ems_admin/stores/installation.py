"""The install root as a whole: which layout it has, who owns it, whether we may write to it.

Source: `site.md` 1.13, 1.17, 8; `faults.md` F08, F13.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from attrs import define, field

from ems_admin.machines.codes import Code
from ems_admin.stores import permissions
from ems_admin.stores.config import look_at_config
from ems_admin.stores.failures import FULL, owners, word
from ems_admin.stores.folders import resolved
from ems_admin.stores.site_files import FOLDERS
from ems_admin.stores.threads import DISK_THREADS, DiskThreads
from ems_admin.workflows.ports.files import DirectoryVerdict, FileReading, Layout, RuntimeIdentity
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted

CONFIG_FOLDER: Final = "config"
DATA_FOLDER: Final = "data"
CONFIG_FILE: Final = "config.json"
WORKSPACE: Final = (CONFIG_FOLDER, DATA_FOLDER)
WORKSPACE_MODE: Final = 0o755

_log: Final = structlog.get_logger(__name__)


@define(kw_only=True)
class InstallRoot:
    """One install. Mutable: it remembers its last verdict, so that the log tells each change once."""

    install_root: Path = field(converter=resolved)
    admin_data: Path = field(converter=resolved)
    stack_file: str
    """`docker-compose.yml`, natively `stack.json`."""
    puid: str | None = None
    pgid: str | None = None
    """As whom the EMS runs, as the environment says it; without both, the owner of the install root."""
    threads: DiskThreads = DISK_THREADS
    _told: DirectoryVerdict | None = field(default=None, init=False)

    async def layout(self) -> Layout:
        """Look which files are there."""
        return await self.threads.run(self.look)

    async def legacy_config(self) -> FileReading:
        """Read the config of the old layout."""
        return await self.threads.run(partial(look_at_config, self.install_root / CONFIG_FILE))

    async def runtime_identity(self) -> RuntimeIdentity | None:
        """Say as whom the EMS is to run; a number that is none is missing, not zero."""
        if self.puid is not None or self.pgid is not None:
            return _identity(self.puid, self.pgid)
        return await self.threads.run(self._owner)

    async def workspace(self) -> Commit:
        """Make the directories that a deployment needs, owned by who runs the EMS where we may say so."""
        identity = await self.runtime_identity()
        return await self.threads.run(lambda: self._make_workspace(identity))

    async def workspace_exists(self) -> bool:
        """Say whether they are there."""
        return await self.threads.run(lambda: all((self.install_root / name).is_dir() for name in WORKSPACE))

    async def repair_permissions(self, identity: RuntimeIdentity) -> tuple[str, ...] | DirectoryVerdict:
        """Mend owners and modes of what was prepared."""
        return await self.threads.run(lambda: permissions.repair(self.install_root, identity))

    async def not_writable(self) -> DirectoryVerdict | None:
        """Probe every directory that mutations write to; name the first that refuses."""
        verdict = await self.threads.run(self.probe)
        if verdict != self._told:
            if verdict is None:
                _log.info("every directory can be written again")
            else:
                _log.warning("directory cannot be written", code=verdict.code, detail=verdict.detail)
            self._told = verdict
        return verdict

    async def free_bytes(self) -> int | None:
        """Tell the free space of the Admin data."""
        return await self.threads.run(self._free_bytes)

    def look(self) -> Layout:
        """Look which files are there. Blocking."""
        files = {
            "standard_config": self.install_root / CONFIG_FOLDER / CONFIG_FILE,
            "legacy_config": self.install_root / CONFIG_FILE,
            "stack_file": self.install_root / self.stack_file,
        }
        there = {name: _is_there(path) for name, path in files.items()}
        return Layout(
            root_config=there["legacy_config"],
            standard_config=there["standard_config"],
            stack_file=there["stack_file"],
            digests=_digests(files),
        )

    def _owner(self) -> RuntimeIdentity | None:
        try:
            seen = self.install_root.stat()
        except OSError:
            return None
        return RuntimeIdentity(puid=seen.st_uid, pgid=seen.st_gid)

    def _make_workspace(self, identity: RuntimeIdentity | None) -> Commit:
        try:
            for name in WORKSPACE:
                path = self.install_root / name
                if path.is_dir():
                    continue
                path.mkdir(mode=WORKSPACE_MODE, parents=True)
                if identity is not None and os.geteuid() == 0:
                    os.chown(path, identity.puid, identity.pgid)
            _flush(self.install_root)
        except OSError as error:
            if error.errno in FULL | {errno.EIO}:
                return NotCommitted(code=Code.STATE_WRITE_FAILED, detail=word(error))
            return NotCommitted(code=Code.WORKSPACE_PERMISSION_DENIED, detail=word(error))
        return Committed()

    def probe(self) -> DirectoryVerdict | None:
        """Probe every directory. Blocking."""
        for name in FOLDERS:
            if not _writable(self.admin_data / name):
                return DirectoryVerdict(
                    code=Code.ADMIN_DATA_NOT_WRITABLE, detail=owners(name, str(_nearest(self.admin_data / name)))
                )
        config = self.install_root / CONFIG_FOLDER
        if _writable(config):
            return None
        code = Code.CONFIG_FILE_NOT_REPLACEABLE if _only_reads(config) else Code.CONFIG_NOT_WRITABLE
        return DirectoryVerdict(code=code, detail=owners(CONFIG_FOLDER, str(_nearest(config))))

    def _free_bytes(self) -> int | None:
        try:
            seen = os.statvfs(_nearest(self.admin_data))
        except OSError:
            return None
        return seen.f_bavail * seen.f_frsize


def _identity(puid: str | None, pgid: str | None) -> RuntimeIdentity | None:
    if not (puid or "").isdecimal() or not (pgid or "").isdecimal():
        return None
    return RuntimeIdentity(puid=int(puid or ""), pgid=int(pgid or ""))


def _is_there(path: Path) -> bool | None:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
    return True


def _digests(files: dict[str, Path]) -> tuple[tuple[str, str | None], ...] | None:
    try:
        return tuple((name, _digest(path)) for name, path in files.items())
    except OSError:
        return None


def _digest(path: Path) -> str | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe is not waited for
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "no regular file")
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _writable(path: Path) -> bool:
    """Ask the kernel, as who we are now: a probing file would change the folder on every read (F02)."""
    return os.access(_nearest(path), os.W_OK | os.X_OK, effective_ids=True)


def _only_reads(path: Path) -> bool:
    try:
        return bool(os.statvfs(_nearest(path)).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _nearest(path: Path) -> Path:
    """Give the folder itself, or the nearest one above in which it would have to be made."""
    return next((folder for folder in (path, *path.parents) if folder.exists()), path)


def _flush(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
