"""A plot of this machine for one lab: a folder, a network of its own and a group of processes, under one number.

The network is a namespace with one cable to the host, so that two labs never share a bridge, a port or a rule of a
firewall, and so that a published port is reached like that of another device in the house. A plot is held by a lock
that the kernel gives up with its holder; whoever comes next clears what a dead one has left.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Final

from attrs import frozen

from tests.e2e.deadline import until

FOLDER: Final = Path("/tmp")
NAMES: Final = "ems-lab-"
NUMBERS: Final = range(1, 255)
SPACES: Final = Path("/run/netns")
ENOUGH: Final = 6 << 30
"""Bytes of free memory from which on a plot lies in memory; it may take half of that, and takes a tenth."""
GROUPS: Final = Path("/sys/fs/cgroup")


@frozen
class Plot:
    """One plot by its number."""

    number: int

    @property
    def name(self) -> str:
        """What folder, network and group of processes are called; it fits into the 15 letters of a cable's name."""
        return f"{NAMES}{self.number}"

    @property
    def folder(self) -> Path:
        return FOLDER / self.name

    @property
    def address(self) -> str:
        """Where the host reaches what is published in here."""
        return f"10.231.{self.number}.2"

    @property
    def host_address(self) -> str:
        """Where the host is seen from in here."""
        return f"10.231.{self.number}.1"

    def inside(self, *command: str | Path) -> list[str]:
        """Give the command that runs `command` in this network, and dies with the thread that starts it."""
        words = ("setpriv", "--pdeathsig", "KILL", "nsenter", f"--net={SPACES / self.name}", *map(str, command))
        return list(words)

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command in this network to its end, and give what it prints."""
        return subprocess.run(self.inside(*command), check=check, capture_output=True, text=True, timeout=30).stdout


@contextlib.contextmanager
def a_plot() -> Iterator[Plot]:
    """Take the first free plot, cleared; clear it again in the end."""
    with contextlib.ExitStack() as held:
        plot = next(plot for plot in map(Plot, NUMBERS) if held.enter_context(_taken(plot)))
        for other in _left_over():
            with _taken(other) as ours:
                if ours:
                    clear(other)
        clear(plot)
        try:
            _lay_out(plot)
            yield plot
        finally:
            clear(plot)


@contextlib.contextmanager
def _taken(plot: Plot) -> Iterator[bool]:
    """Hold the lock of a plot, unless somebody else does; say which."""
    lock = FOLDER / f"{plot.name}.lock"
    held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        if not lock.exists() or lock.stat().st_ino != os.fstat(held).st_ino:  # its last holder has just removed it
            yield False
            return
        try:
            yield True
        finally:
            lock.unlink()
    finally:
        os.close(held)


def _left_over() -> Iterator[Plot]:
    for lock in FOLDER.glob(f"{NAMES}*.lock"):
        yield Plot(int(lock.stem.removeprefix(NAMES)))


def _lay_out(plot: Plot) -> None:
    plot.folder.mkdir(mode=0o755)
    if _free_memory() > ENOUGH:  # many times as quick as most disks, and cleared in an instant
        size = f"size={ENOUGH // 2},mode=755"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, plot.name, str(plot.folder)], check=True)
    else:
        subprocess.run(["mount", "--bind", str(plot.folder), str(plot.folder)], check=True)
    # What a test mounts below it is seen by an engine that runs already.
    subprocess.run(["mount", "--make-shared", str(plot.folder)], check=True)
    _ip("netns", "add", plot.name)
    _ip("link", "add", plot.name, "type", "veth", "peer", "name", "eth0", "netns", plot.name)
    _ip("address", "add", f"{plot.host_address}/30", "dev", plot.name)
    _ip("link", "set", plot.name, "up")
    plot.run("ip", "link", "set", "lo", "up")
    plot.run("ip", "address", "add", f"{plot.address}/30", "dev", "eth0")
    plot.run("ip", "link", "set", "eth0", "up")
    plot.run("ip", "route", "add", "default", "via", plot.host_address)


def clear(plot: Plot) -> None:
    """Remove every trace of a plot that is ours: processes, then their groups, the network, the folder."""
    for pid in processes(plot):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    until(lambda: not processes(plot), "the processes of a lab are gone", limit=20)
    remove_groups(plot)
    if (SPACES / plot.name).exists():
        _ip("netns", "delete", plot.name)
    if Path(f"/sys/class/net/{plot.name}").exists():  # its other end may hold on a moment longer
        _ip("link", "delete", plot.name, check=False)
    for mount in reversed(mounts_at(plot.folder)):
        subprocess.run(["umount", "--lazy", mount], check=True)
    if plot.folder.exists():
        shutil.rmtree(plot.folder)


def _free_memory() -> int:
    found = re.search(r"^MemAvailable: *(\d+) kB$", Path("/proc/meminfo").read_text(), re.MULTILINE)
    return int(found[1]) << 10 if found else 0


def processes(plot: Plot) -> list[int]:
    """Give whatever runs in the network of a plot, or in its groups of processes: its engine, all containers."""
    found = set[int]()
    space = SPACES / plot.name
    if space.exists():
        number = space.stat().st_ino
        for entry in Path("/proc").glob("[0-9]*/ns/net"):
            with contextlib.suppress(OSError):
                if entry.stat().st_ino == number:
                    found.add(int(entry.parts[2]))
    for group in groups(plot):
        with contextlib.suppress(OSError):
            found.update(map(int, (group / "cgroup.procs").read_text().split()))
    return sorted(found)


def groups(plot: Plot) -> list[Path]:
    """Give the control groups of a plot, the inner ones first."""
    tops = [*GROUPS.glob(f"*/{plot.name}"), *GROUPS.glob(plot.name)]
    return [Path(inner) for top in tops for inner, _, _ in os.walk(top, topdown=False)]


_LASTING: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="what labs run")


def begun(command: Sequence[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start what ends with this process, from a thread that lasts as long.

    The kernel ends it with the very thread that has started it, and the threads of a loop end with their test.
    """
    return _LASTING.submit(lambda: subprocess.Popen(command, stdout=log, stderr=log)).result()


def favour(plot: Plot) -> None:
    """Give the containers of a plot the weight of a machine of their own; together they would weigh as one process."""
    for name, weight in (("cpu/{}/cpu.shares", 16384), ("{}/cpu.weight", 1600)):
        place = GROUPS / name.format(plot.name)
        if (GROUPS / "cpu").is_dir() is name.startswith("cpu/"):
            with contextlib.suppress(OSError):  # where the machine has other groups, tests are only slower
                place.parent.mkdir(exist_ok=True)
                place.write_text(str(weight))


def remove_groups(plot: Plot) -> None:
    """Remove the control groups that engines leave when the power is cut; the kernel is a moment behind."""

    def removed() -> bool:
        for group in groups(plot):
            with contextlib.suppress(OSError):
                group.rmdir()
        return not groups(plot)

    until(removed, "the control groups of a lab are gone", limit=20)


def mounts_at(folder: Path) -> list[str]:
    """Give the mounts of this host at a folder and below, in their order."""
    targets = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    return [target for target in targets if f"{target}/".startswith(f"{folder}/")]


def _ip(*words: str, check: bool = True) -> None:
    subprocess.run(["ip", *words], check=check, capture_output=True, timeout=30)
