"""Of every whole run it is asked in the end whether each code of the catalogue was produced by somebody."""

from __future__ import annotations

from typing import Any

import pytest

from tests.codes_heard import HEARD, listen, missing

pytest_plugins = ("tests.exploration.telling",)  # here, so that a run with several workers adds up as well

WHOLE = ["tests"]


def pytest_configure(config: pytest.Config) -> None:
    listen()


def pytest_testnodedown(node: Any, error: object) -> None:
    HEARD.update(getattr(node, "workeroutput", {}).get("codes", ()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["codes"] = sorted(HEARD)
    elif is_whole(config) and exitstatus == pytest.ExitCode.OK and any(missing()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if is_whole(config):
        for fault in missing():
            terminalreporter.write_line(fault, red=True)


def is_whole(config: pytest.Config) -> bool:
    """Say whether every test was meant to run."""
    return config.args == WHOLE and not (config.option.keyword or config.option.markexpr or config.option.lf)
