"""A child of this very process, which does one thing and is gone: a real process, without a new interpreter."""

from __future__ import annotations

import gc
import os
import pickle
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from attrs import frozen

MEMORY: Final = Path("/dev/shm")


@contextmanager
def folder_of_files() -> Iterator[Path]:
    """Give a folder for real files. A kill is no power cut: what the kernel holds outlives the process on any disk."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@frozen
class Death:
    """How a child has ended, and what it has told before."""

    signal: int
    """Zero when it has ended by itself."""
    told: Any


def in_child(work: Callable[[], Any]) -> Death:
    """Fork, do the work there, and wait for the end. Raises what the child could not do."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        _be_the_child(work, writes)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return Death(os.WTERMSIG(status), None)
    answer = pickle.loads(told)
    assert os.WEXITSTATUS(status) == 0, f"the child has failed:\n{answer}"
    return Death(0, answer)


def _be_the_child(work: Callable[[], Any], writes: int) -> None:
    """Never come back: what belongs to the parent is not to be tidied up twice."""
    gc.disable()  # nor is anything of its collected here
    code = 1
    try:
        try:
            told: Any = work()
            code = 0
        except BaseException:  # noqa: BLE001  # the parent tells it
            told = traceback.format_exc()
        with os.fdopen(writes, "wb") as pipe:
            pipe.write(pickle.dumps(told))
    finally:
        os._exit(code)
