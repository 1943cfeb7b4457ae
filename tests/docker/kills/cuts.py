"""What may happen to a whole engine, with a process of every case standing at its point."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Thread

from tests.docker.kills.playing import Play
from tests.lab.lab import Lab


def stopped_and_started(lab: Lab, plays: Sequence[Play]) -> None:
    """Stop the engine as a service manager does; whoever stood still goes on while it stops. Then start it."""
    stopping = Thread(target=lab.engine.stop)
    stopping.start()
    for play in plays:
        play.happened = time.time()
        play.let_go()
    stopping.join()
    _start(lab, plays)


def power_cut(lab: Lab, plays: Sequence[Play]) -> None:
    """Let engine, shims and containers be gone in one instant, as the host is; then start the engine."""
    lab.engine.kill()
    for play in plays:
        play.happened = time.time()
        play.let_go()
    _start(lab, plays)


def _start(lab: Lab, plays: Sequence[Play]) -> None:
    lab.engine.start()
    for play in plays:
        play.engine_back = time.time()
