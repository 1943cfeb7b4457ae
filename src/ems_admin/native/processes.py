"""Processes as `/proc` shows them. A pid alone names nobody: it is used again.

A process is known by pid, start ticks and boot id together. It is signalled through a pidfd that was opened before
that identity was checked, so that a signal can never reach a stranger who has inherited the pid.

Source: `site.md` 4 (native services), 8; `faults.md` D1.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from attrs import frozen

from ems_admin.native.place import MARKER
from ems_admin.workflows.ports.running import Clock


@frozen(kw_only=True)
class Identity:
    """One process of one boot of the host."""

    pid: int
    start_ticks: int
    """Clock ticks between boot and start."""
    boot_id: str


class Life(StrEnum):
    """What can be said of a process. `UNKNOWN` permits nothing."""

    ALIVE = "alive"
    GONE = "gone"
    UNKNOWN = "unknown"


class Unaskable(Exception):  # noqa: N818  # it is no error of the program: the host does not answer
    """The host's processes cannot be looked at: nothing is concluded."""


@frozen(kw_only=True)
class Stat:
    """The part of `/proc/<pid>/stat` that identity rests on."""

    dead: bool
    """A zombie has ended; its parent has only not asked yet."""
    session: int
    start_ticks: int


@frozen(kw_only=True)
class Processes:
    """The processes of this host that belong to the Admin's own user."""

    clock: Clock
    proc: Path

    def boot_id(self) -> str:
        """Name this boot. Raises `Unaskable`, also when processes cannot be read at all."""
        boot_id = self.clock.boot_id()
        if boot_id is None or self._asked(os.getpid()) is None:
            raise Unaskable
        return boot_id

    def find(self, pid: int) -> Identity | None:
        """Give the identity of a process, also of one that has ended and whose parent has not asked yet.

        `None` when there is none with this pid. Raises `Unaskable`.
        """
        boot_id = self.boot_id()
        stat = self._asked(pid)
        return None if stat is None else Identity(pid=pid, start_ticks=stat.start_ticks, boot_id=boot_id)

    def life(self, identity: Identity) -> Life:
        """Say whether exactly this process lives."""
        try:
            same = self.boot_id() == identity.boot_id
            stat = self._asked(identity.pid)
        except Unaskable:
            return Life.UNKNOWN
        alive = same and stat is not None and not stat.dead and stat.start_ticks == identity.start_ticks
        return Life.ALIVE if alive else Life.GONE

    def age(self, identity: Identity) -> float:
        """Tell for how many seconds a process has been there, by the kernel's own clock."""
        return max(0.0, self.clock.boottime() - identity.start_ticks / os.sysconf("SC_CLK_TCK"))

    def carriers(self, marker: str) -> tuple[Identity, ...]:
        """Find the living processes of one start, the one that was spawned first. Raises `Unaskable`.

        What the child itself starts inherits the marker, so the leader of a session comes first, then the eldest. A
        process of another user is never ours; one whose environment is closed even to its own user neither.
        """
        boot_id = self.boot_id()
        wanted = f"{MARKER}={marker}".encode()
        found = [
            (pid != stat.session, stat.start_ticks, pid)
            for pid in self._own_pids()
            if wanted in self._environment(pid) and (stat := self._asked(pid)) and not stat.dead
        ]
        return tuple(Identity(pid=pid, start_ticks=ticks, boot_id=boot_id) for _, ticks, pid in sorted(found))

    def marks(self, site: str) -> frozenset[str]:
        """Name every start of a site of which something still lives. Raises `Unaskable`."""
        self.boot_id()
        begins = f"{MARKER}={site}/".encode()
        return frozenset(
            word.partition(b"=")[2].decode(errors="replace")
            for pid in self._own_pids()
            for word in self._environment(pid)
            if word.startswith(begins) and word.count(b"/") > 1 and (stat := self._asked(pid)) and not stat.dead
        )

    def send(self, identity: Identity, number: signal.Signals) -> Life:
        """Send a signal to exactly this process and say what it was found to be just before."""
        try:
            handle = os.pidfd_open(identity.pid)
        except ProcessLookupError:
            return Life.GONE
        except OSError:
            return self._send_without_handle(identity, number)
        try:
            life = self.life(identity)
            if life is Life.ALIVE:
                signal.pidfd_send_signal(handle, number)
        except ProcessLookupError:
            return Life.GONE
        except PermissionError:
            return Life.UNKNOWN
        finally:
            os.close(handle)
        return life

    def _send_without_handle(self, identity: Identity, number: signal.Signals) -> Life:
        """Do the same where the kernel or a sandbox knows no pidfd; the gap is a few microseconds wide."""
        life = self.life(identity)
        try:
            if life is Life.ALIVE:
                os.kill(identity.pid, number)
        except ProcessLookupError:
            return Life.GONE
        except PermissionError:
            return Life.UNKNOWN
        return life

    def _own_pids(self) -> Iterator[int]:
        try:
            with os.scandir(self.proc) as listed:
                entries = list(listed)
        except OSError as error:
            raise Unaskable from error
        for entry in entries:
            try:
                if entry.name.isdigit() and entry.stat().st_uid == os.geteuid():
                    yield int(entry.name)
            except OSError:  # it ended between the list and the look
                continue

    def _environment(self, pid: int) -> tuple[bytes, ...]:
        try:
            return tuple((self.proc / str(pid) / "environ").read_bytes().split(b"\0"))
        except OSError:
            return ()

    def _asked(self, pid: int) -> Stat | None:
        try:
            return self._stat(pid)
        except OSError as error:
            raise Unaskable from error

    def _stat(self, pid: int) -> Stat | None:
        try:
            text = (self.proc / str(pid) / "stat").read_text(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            return None
        # The name of the program stands in brackets and may itself hold brackets and blanks: read behind the last.
        words = text.rpartition(")")[2].split()
        return Stat(dead=words[0] in "ZXx", session=int(words[3]), start_ticks=int(words[19]))
