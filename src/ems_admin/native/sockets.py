"""Ports of this host: whether one is free, and one that is."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Final

LOOPBACK: Final = "127.0.0.1"


def is_free(port: int) -> bool:
    """Say whether nobody listens at a port, on any address of this host."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As every server does it: a connection of yesterday that lingers is no obstacle, a listener is.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
            probe.listen(1)
        except OSError:
            return False
    return True


def free_port(besides: frozenset[int]) -> int:
    """Find a port that nobody listens at and that is none of `besides`."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind(("", 0))
            port: int = probe.getsockname()[1]
        if port not in besides:
            return port


async def is_listening(port: int) -> bool:
    """Say whether somebody accepts connections at a port of this host."""
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(LOOPBACK, port), timeout=1.0)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True
