"""One check and its verdict. Source: `http.md` 5.3 (diagnostics); `faults.md` D1, D4."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.refusals import sentence


class CheckStatus(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARNING = "warning"
    """It works, and somebody should look at it."""
    FAILED = "failed"
    """It is known not to be as it has to be."""
    UNAVAILABLE = "unavailable"
    """Nobody could say: never taken for "ok", and never for "failed" (D1)."""


WORST_FIRST: Final = (CheckStatus.FAILED, CheckStatus.UNAVAILABLE, CheckStatus.WARNING, CheckStatus.OK)


@frozen(kw_only=True)
class Check:
    """One thing that was looked at."""

    key: str
    status: CheckStatus
    message: str
    """What was found, and what to do about it. No absolute path, no secret."""


def ok(key: str, message: str) -> Check:
    """Say that it is as it has to be."""
    return Check(key=key, status=CheckStatus.OK, message=message)


def warning(key: str, message: str) -> Check:
    """Say what somebody should look at."""
    return Check(key=key, status=CheckStatus.WARNING, message=message)


def failed(key: str, message: str) -> Check:
    """Say what is wrong."""
    return Check(key=key, status=CheckStatus.FAILED, message=message)


def unavailable(key: str, message: str) -> Check:
    """Say why nobody knows."""
    return Check(key=key, status=CheckStatus.UNAVAILABLE, message=message)


def told(code: Code, detail: str | None = None) -> str:
    """Give the sentence of a code, with what it is about."""
    message = sentence(code).message
    return f"{message} ({detail})" if detail else message


def worst(checks: tuple[Check, ...]) -> CheckStatus:
    """Give the gravest of some verdicts; nothing that was looked at is nothing that is known."""
    statuses = {check.status for check in checks}
    return next((status for status in WORST_FIRST if status in statuses), CheckStatus.UNAVAILABLE)
