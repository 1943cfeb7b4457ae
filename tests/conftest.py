"""Of every whole run it is asked in the end whether each code of the catalogue was produced by somebody."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.codes_heard import HEARD, forget_what_was_handed_in, listen, missing

pytest_plugins = (
    "tests.exploration.telling",  # here, so that a run with several workers adds up as well
    "tests.lab.fixtures",
)

WHOLE: Final = ["tests"]
HOLD: Final = "--every-code"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(HOLD, action="store_true", help="hold this run to every code, as a whole run always is")


def pytest_configure(config: pytest.Config) -> None:  # pytest calls it by this name
    listen()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    forget_what_was_handed_in()


def pytest_testnodedown(node: Any, error: object) -> None:
    HEARD.update(getattr(node, "workeroutput", {}).get("codes", ()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["codes"] = sorted(map(str, HEARD))
    elif is_held(config) and exitstatus == pytest.ExitCode.OK and any(missing()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if is_held(config):
        for fault in missing():
            terminalreporter.write_line(fault, red=True)


def is_held(config: pytest.Config) -> bool:
    """Say whether every test was meant to run, or whether the run is held to every code all the same."""
    narrowed = any(config.getoption(option, None) for option in ("keyword", "markexpr", "lf"))
    return bool(config.getoption(HOLD)) or (config.args == WHOLE and not narrowed)
