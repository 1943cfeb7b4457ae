"""Start the EMS: `python -m <package> --config DIR --data DIR --port N`.

An invalid config is one line on standard error and exit code 78; a port in use is exit code 1. SIGTERM and Ctrl-C end
the EMS with exit code 0.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from aiohttp import web

from .config import ConfigError, read_config
from .pages import site
from .running import Ems, own_build
from .runtime_state import LockedError, RuntimeState

CONFIG_IS_INVALID = 78  # EX_CONFIG of sysexits.h
CANNOT_START = 1


def arguments() -> argparse.Namespace:
    """Read the command line; what it does not say may stand in the environment."""
    parser = argparse.ArgumentParser(prog="ems", description="A small energy management system with simulated devices.")
    parser.add_argument("--config", type=Path, default=Path(os.environ.get("EMS_CONFIG", "config")))
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("EMS_DATA", "data")))
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=int(os.environ.get("EMS_PORT", "8099")))
    return parser.parse_args()


async def serve(ems: Ems, host: str, port: int) -> None:
    """Run loop and pages until a signal ends them. Raises `OSError` when the port cannot be had."""
    end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, end.set)
    runner = web.AppRunner(site(ems), access_log=None, shutdown_timeout=3)
    await runner.setup()
    loop = asyncio.create_task(ems.live())
    try:
        await web.TCPSite(runner, host, port).start()
        say(f"{ems.build.build_id} controls {len(ems.config.batteries)} batteries, listening on http://{host}:{port}")
        await end.wait()
        say("ends")
    finally:
        loop.cancel()
        with suppress(asyncio.CancelledError):
            await loop
        await runner.cleanup()


def main() -> int:
    """Read the config and serve."""
    wanted = arguments()
    try:
        config = read_config(wanted.config)
    except ConfigError as error:
        print(f"ems: {error}", file=sys.stderr)  # noqa: T201 - the line that the operator reads
        return CONFIG_IS_INVALID
    ems = Ems(config=config, state=RuntimeState(wanted.data), build=own_build())
    try:
        ems.state.begin()
        ems.begin(datetime.now().astimezone())
        asyncio.run(serve(ems, wanted.host, wanted.port))
    except (OSError, LockedError) as error:
        print(f"ems: cannot start: {error}", file=sys.stderr)  # noqa: T201 - the same
        return CANNOT_START
    return 0


def say(line: str) -> None:
    """Write a line for the log."""
    print(f"{datetime.now().astimezone():%H:%M:%S} ems {line}", flush=True)  # noqa: T201 - the log is standard output


if __name__ == "__main__":
    sys.exit(main())
