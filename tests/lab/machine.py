"""What this machine must have for the lab; said with the one command that brings it."""

from __future__ import annotations

import os
import shutil
from typing import Final

NEEDED: Final = (
    "dockerd",
    "docker-init",
    "iptables",
    "docker-registry",
    "debootstrap",
    "ip",
    "nsenter",
    "unshare",
    "setpriv",
)
COMMAND: Final = "sudo tools/machine.sh test"


class MachineNotReadyError(RuntimeError):
    """The lab cannot stand here. It is never a reason to skip a test."""


def hold_that_the_machine_is_ready() -> None:
    """Raise `MachineNotReadyError` unless this is root with every part of the lab."""
    if os.geteuid() != 0:
        raise MachineNotReadyError("The lab runs a Docker engine of its own, which takes root: sudo make test")
    missing = [name for name in NEEDED if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is None]
    if missing:
        raise MachineNotReadyError(f"The lab misses {', '.join(missing)}. This brings them: {COMMAND}")
