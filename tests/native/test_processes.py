"""Processes by identity, read from the real `/proc`."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import evolve

from ems_admin.native.processes import Identity, Life, Processes, Unaskable
from ems_admin.stores.host import HostClock
from tests.native.host import until

PROCESSES = Processes(clock=HostClock(), proc=Path("/proc"))
PAUSE = "import signal; print(flush=True); signal.pause()"


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    environment = os.environ | {"EMS_ADMIN_CHILD": f"test/{os.getpid()}/1"}
    # A program whose name makes the line of /proc hard to read.
    command = ["a) b (c", "-c", PAUSE]
    with subprocess.Popen(
        command, executable=sys.executable, env=environment, start_new_session=True, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        yield child
        child.kill()


def identity(child: subprocess.Popen[bytes]) -> Identity:
    found = PROCESSES.find(child.pid)
    assert found is not None
    return found


def test_a_living_process_is_found_by_its_identity(child: subprocess.Popen[bytes]) -> None:
    assert PROCESSES.life(identity(child)) is Life.ALIVE
    assert 0 <= PROCESSES.age(identity(child)) < 60


def test_a_dead_one_is_gone_also_before_its_parent_has_asked(child: subprocess.Popen[bytes]) -> None:
    known = identity(child)
    assert PROCESSES.send(known, signal.SIGKILL) is Life.ALIVE
    until(lambda: PROCESSES.life(known) is Life.GONE)
    assert (Path("/proc") / str(child.pid)).exists(), "it is a zombie"
    assert PROCESSES.find(child.pid) == known
    child.wait()
    assert PROCESSES.find(child.pid) is None
    assert PROCESSES.send(known, signal.SIGKILL) is Life.GONE


@pytest.mark.parametrize(
    "other", [lambda known: evolve(known, start_ticks=1), lambda known: evolve(known, boot_id="another")]
)
def test_the_same_pid_with_another_start_or_boot_is_gone_and_hears_no_signal(
    child: subprocess.Popen[bytes], other: Callable[[Identity], Identity]
) -> None:
    stranger = other(identity(child))
    assert PROCESSES.life(stranger) is Life.GONE
    assert PROCESSES.send(stranger, signal.SIGKILL) is Life.GONE
    assert PROCESSES.life(identity(child)) is Life.ALIVE


def test_signals_are_as_safe_without_a_pidfd(child: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    def not_known(_pid: int) -> int:
        raise OSError(38, "not implemented")

    monkeypatch.setattr(os, "pidfd_open", not_known)
    assert PROCESSES.send(evolve(identity(child), start_ticks=1), signal.SIGKILL) is Life.GONE
    assert PROCESSES.send(identity(child), signal.SIGKILL) is Life.ALIVE
    assert child.wait() == -9


def test_a_mark_finds_its_process_and_no_other(child: subprocess.Popen[bytes]) -> None:
    assert PROCESSES.carriers(f"test/{os.getpid()}/1") == (identity(child),)
    assert PROCESSES.carriers(f"test/{os.getpid()}/2") == ()
    assert PROCESSES.carriers(f"test/{os.getpid()}/") == ()


def test_a_host_that_does_not_answer_is_unknown(child: subprocess.Popen[bytes], tmp_path: Path) -> None:
    blind = Processes(clock=HostClock(), proc=tmp_path)
    assert blind.life(identity(child)) is Life.UNKNOWN
    with pytest.raises(Unaskable):
        blind.carriers("anything")


def test_a_boot_that_has_no_name_is_unknown(child: subprocess.Popen[bytes]) -> None:
    class Nameless(HostClock):
        def boot_id(self) -> str | None:
            return None

    nameless = Processes(clock=Nameless(), proc=Path("/proc"))
    assert nameless.life(identity(child)) is Life.UNKNOWN
    assert nameless.send(identity(child), signal.SIGKILL) is Life.UNKNOWN
    assert PROCESSES.life(identity(child)) is Life.ALIVE
