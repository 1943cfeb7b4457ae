"""How long the hands of a replacement wait for the daemon. Source: `replacement.md` 7.3; `faults.md` F20, F31, F44."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from attrs import frozen

from ems_admin.docker.daemon import ACT

POLL: Final = timedelta(milliseconds=250)


@frozen(kw_only=True)
class Limits:
    """One value for each wait that ends by itself."""

    act: timedelta = ACT
    """One call that creates, starts, stops or removes."""
    name: timedelta = timedelta(seconds=30)
    """For a name that is taken by a container which nobody finds."""
    smoke: timedelta = timedelta(seconds=30)
    """For an image to say which build it is."""
    grace: timedelta = timedelta(seconds=30)
    """Between the request to end and the kill."""
    starts: int = 3
    """Of one new Admin (F34)."""
    taken: timedelta = timedelta(seconds=30)
    """For a port that is in use although the old Admin has stopped."""
    up: timedelta = timedelta(seconds=60)
    """Until a started Admin answers; then the verification judges it."""
    well: timedelta = timedelta(seconds=90)
    """Until a started Admin is well, however slow its machine is: people wait for one that answers for two minutes."""
    unwell: timedelta = timedelta(seconds=15)
    """How long one may name what is wrong with it before it is believed."""
