"""Children of this very process: how they are spawned, and how they ended.

A child gets a session of its own, so that neither the end of the Admin nor a Ctrl-C in its terminal reaches it. Only
the process that spawned a child can learn its exit code; after a restart of the Admin that code is unknown.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from attrs import frozen

INHERITED: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR")
"""What a child sees of the Admin's environment. The rest is not its business, and may hold secrets."""

LAST_THREADS: Final = timedelta(seconds=1)
"""How long a process that is gone may take to be over for the kernel too."""

_born: dict[int, subprocess.Popen[bytes]] = {}
"""By pid. A module's variable, because children belong to the process, whichever object had them spawned."""


@frozen(kw_only=True)
class Spawn:
    """What to start. `environment` comes on top of the few variables that every child inherits."""

    command: tuple[str, ...]
    directory: Path
    environment: Mapping[str, str]
    log: Path


def spawn(wanted: Spawn) -> int:
    """Start a child and give its pid. Raises `OSError` when the program cannot be executed.

    When this returns the program is executing, so its environment is the one that is searched for in `/proc`. A kill
    of the Admin in between leaves a child that executes it all the same.
    """
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    # A program that wrote its byte code beside its sources would change the digest of its own tree.
    fixed = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}
    with wanted.log.open("ab") as log:
        child = subprocess.Popen(  # noqa: S603  # the command of a build whose tree has just been verified
            wanted.command,
            cwd=wanted.directory,
            env=inherited | fixed | dict(wanted.environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _born[child.pid] = child
    return child.pid


def exit_code(pid: int) -> int | None:
    """Tell how a child ended that is seen to be gone; `None` when it is not a child of this process.

    A signal counts as 128 and its number, as in a shell. Asking also lets the kernel forget the child. It is gone when
    its first thread is, and the kernel tells the code when its last one is: a moment later, which is waited for.
    """
    child = _born.get(pid)
    if child is None:
        return None
    try:
        code = child.wait(LAST_THREADS.total_seconds())
    except subprocess.TimeoutExpired:
        return None
    return 128 - code if code < 0 else code
