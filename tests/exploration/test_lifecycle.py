"""Product (iii): every switch and every recovery, from every class of B0, B1, B6 and dispatch, and every cut of it."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest

from tests.exploration.conftest import Count
from tests.exploration.explorer import Explorer
from tests.exploration.lifecycle import ACTS, RECOVERIES, Arbitration, promise
from tests.workflows.lifecycle.classes import DISPATCHES, SETUPS, TRANSITIONS, UPGRADES, Stored, stand

UNLIKE_NOTHING = frozenset({"launched", "of another"})
"""Dispatch records that a switch takes for what it takes the others for: it does not read them, but to name them."""


@pytest.mark.parametrize("transition", TRANSITIONS)
def test_whatever_is_stored_a_switch_or_a_recovery_ends_it_or_leaves_it_as_it_was(
    transition: str, count: Count
) -> None:
    """`seed 000` 7.3, 7.4."""
    for setup, upgrade, dispatch in product(SETUPS, UPGRADES, DISPATCHES):
        stored = Stored(setup, transition, upgrade, dispatch)
        for name, act in ACTS.items():
            if name not in RECOVERIES and dispatch in UNLIKE_NOTHING:
                continue
            watcher = Arbitration(name=name, promised=promise(name, stand(stored)))
            try:
                explorer = Explorer(partial(stand, stored), (act,), watcher).explore()
            except AssertionError as fault:
                raise AssertionError(f"{stored}: {name}: {fault}") from fault
            count("switch and recovery", f"{stored}, {name}", explorer)
