"""Product (iv): the replacement of an Admin, with every kill, reboot and silence of the engine within the bounds."""

from __future__ import annotations

import pytest

from tests.exploration.conftest import Count
from tests.exploration.replaced import Replaced
from tests.exploration.replacement import FATES, SUCCESSORS, HostExplorer

ENDS = {
    "whole": {("admin_reconnect_pending", True), ("failed_recoverable", False), ("admin_update_pending", False)},
    "unhealthy": {("failed_recoverable", False), ("admin_update_pending", False)},
    "ends at once": {("failed_recoverable", False), ("admin_update_pending", False)},
}
"""Where B1 is when nobody acts any more, and whether the new Admin runs."""


@pytest.mark.parametrize("successor", SUCCESSORS)
def test_whoever_is_killed_one_admin_runs_and_the_operation_says_which(successor: str, count: Count) -> None:
    """`replacement.md` 7."""
    watcher = Replaced()
    explorer = HostExplorer(SUCCESSORS[successor], (), watcher, fates=FATES, price=2)
    count("replacement", successor, explorer.explore())
    assert watcher.ends == ENDS[successor]
