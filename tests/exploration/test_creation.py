"""Product (i): two callers at the creation boundary, every interleaving, every outcome of every commit, every cut."""

from __future__ import annotations

import pytest

from tests.exploration import creation
from tests.exploration.conftest import Count
from tests.exploration.creation import PAIRS
from tests.exploration.explorer import Explorer
from tests.exploration.invariants import Invariants


@pytest.mark.parametrize(("place", "first", "second"), PAIRS)
def test_an_operation_comes_into_being_once_and_is_owned(place: str, first: str, second: str, count: Count) -> None:
    """`seed 000` 5.5."""
    watcher = Invariants(
        configs=frozenset({None}), intents=creation.confirmations(place), owned=place not in creation.UNOWNED
    )
    acts, fates = creation.acts(first, second), creation.outcomes(first, second)
    explorer = Explorer(lambda: creation.stand(place), acts, watcher, fates=fates)
    count("creation boundary", f"{place}: {first} and {second}", explorer.explore())
