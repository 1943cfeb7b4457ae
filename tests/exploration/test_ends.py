"""Product (ii): every act of a Setup against abandon, supersede, switch and completion, interleaved and cut."""

from __future__ import annotations

import pytest

from tests.exploration.conftest import Count
from tests.exploration.ends import PAIRS, PLACES, Pair
from tests.exploration.explorer import Explorer
from tests.exploration.invariants import Invariants
from tests.exploration.meetings import reviewed_config


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_an_act_and_an_end_never_both_own_the_workflow(pair: Pair, count: Count) -> None:
    """`seed 000` 5.4."""
    watcher = Invariants(configs=reviewed_config(), ends=pair.only_ends)
    count("acts and ends", str(pair), Explorer(PLACES[pair.place], pair.acts, watcher).explore())
