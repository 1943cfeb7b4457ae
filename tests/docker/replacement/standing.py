"""To stand on the host of a lab's engine: there an updater sees gateways and containers as it does from its own."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.lab.plot import SPACES, Plot

NEWNET: Final = 0x40000000


@contextmanager
def standing_on(plot: Plot) -> Iterator[None]:
    """Let this thread stand in the network of a plot, as a process on the host of its engine does."""
    libc = ctypes.CDLL(None, use_errno=True)
    back, there = os.open("/proc/thread-self/ns/net", os.O_RDONLY), os.open(SPACES / plot.name, os.O_RDONLY)
    try:
        assert libc.setns(there, NEWNET) == 0, os.strerror(ctypes.get_errno())
        try:
            yield
        finally:
            assert libc.setns(back, NEWNET) == 0, os.strerror(ctypes.get_errno())
    finally:
        os.close(back)
        os.close(there)
