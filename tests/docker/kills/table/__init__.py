"""The table of the cases, in the order of the page."""

from __future__ import annotations

from typing import Final

from tests.docker.kills.case import Cut, Group
from tests.docker.kills.table import disks, dispatch, engine, images, names, races, walk

HALF: Final = len(walk.FORWARD) // 2

GROUPS: Final = (
    Group(title="The old Admin dies while it dispatches", cases=dispatch.DISPATCH),
    Group(title="The updater dies on its way to the new Admin", cases=walk.FORWARD[:HALF]),
    Group(title="The updater dies behind the stop of the old Admin", cases=walk.FORWARD[HALF:]),
    Group(title="The updater dies on its way back", cases=walk.BACK),
    Group(title="The new Admin fails, or the updater is lost", cases=walk.ROLLBACK),
    Group(title="The engine is stopped and started", cases=engine.STOPPED, cut=Cut.STOPPED),
    Group(title="The power is cut before there is a new Admin", cases=engine.CUT[0], cut=Cut.POWER),
    Group(title="The power is cut when there is one, and on the way back", cases=engine.CUT[1], cut=Cut.POWER),
    Group(title="An image is missing", cases=images.GONE),
    Group(title="Only the names of images are missing", cases=images.HERE),
    Group(title="Names and ports are taken", cases=names.NAMES),
    Group(title="The disk is full", cases=disks.DISKS),
    Group(title="Cancel, claim and another attempt", cases=races.RACES),
)
