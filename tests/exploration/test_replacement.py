"""Product (iv): the replacement of an Admin, with every kill, reboot and silence of the engine within the bounds."""

from __future__ import annotations

import pytest

from tests.exploration.conftest import Count
from tests.exploration.explorer import FAULTS, PREEMPTIONS
from tests.exploration.replaced import Replaced
from tests.exploration.replacement import FATES, SUCCESSORS, HostExplorer

REPLACED, ROLLED_BACK = ("admin_reconnect_pending", True), ("failed_recoverable", False)
NOT_BEGUN = ("admin_update_pending", False)
ENDS = {"whole": REPLACED, "unhealthy": ROLLED_BACK, "ends at once": ROLLED_BACK}
"""Where B1 is when nobody acts any more, and whether the new Admin runs."""
BESIDE_A_FAULT = PREEMPTIONS - 2
"""Every fault comes at every place at which a process sleeps: turns beside it are for `make explore`."""


@pytest.mark.parametrize("successor", SUCCESSORS)
def test_however_admins_and_updater_take_turns_one_launch_leads_to_one_end(successor: str, count: Count) -> None:
    """`replacement.md` 7.3, 7.4."""
    watcher = Replaced()
    explorer = HostExplorer(SUCCESSORS[successor], (), watcher, bound=PREEMPTIONS)
    count("replacement", successor, explorer.explore())
    assert watcher.ends == {ENDS[successor]}


@pytest.mark.parametrize("successor", SUCCESSORS)
def test_whoever_is_killed_one_admin_runs_and_the_operation_says_which(successor: str, count: Count) -> None:
    """`replacement.md` 7.4, 7.5."""
    watcher = Replaced()
    explorer = HostExplorer(SUCCESSORS[successor], (), watcher, fates=FATES, bound=BESIDE_A_FAULT, most_faults=FAULTS)
    count("replacement", f"{successor}, something befalls it", explorer.explore())
    assert watcher.ends == {ENDS[successor], ROLLED_BACK, NOT_BEGUN}
