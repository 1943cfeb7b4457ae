"""Waiting for a state, never for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

import pytest

T = TypeVar("T")

LIMIT = 40.0
"""Seconds. Far more than anything here takes: the limit is for what never comes."""


def until(look: Callable[[], T], what: str, *, limit: float = LIMIT, between: float = 0.02) -> T:
    """Look again and again until something true is seen, and give it."""
    deadline = time.monotonic() + limit
    while not (seen := look()):
        if time.monotonic() > deadline:
            pytest.fail(f"it did not come about in {limit:.0f} s: {what}; last seen: {seen!r}")
        time.sleep(between)  # between two looks, never instead of one
    return seen
