"""Cancel and claim, and one attempt after another. Source: `replacement.md` 7.6."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import Stage
from tests.docker.kills.acts import cancel, fails, resume, stop_updater, was_refused
from tests.docker.kills.case import Back, Case, Does, Ends, Which, new, old
from tests.docker.kills.points import WALKED

RACES: Final = (
    Case(
        title="a cancel meets the updater before its claim",
        who="nobody",
        point=WALKED["after U1"],
        does=Does.HOLD,
        there=(cancel, was_refused("replacement_active")),
        ends=new(),
    ),
    Case(
        title="a cancel meets the updater in the middle of its claim",
        who="nobody",
        point=WALKED["during U2"],
        does=Does.HOLD,
        there=(cancel, was_refused("replacement_active", "state_lock_busy")),
        ends=new(),
    ),
    Case(
        title="the updater is stopped by hand before its claim, and the Setup is discarded",
        who="the updater",
        point=WALKED["after U1"],
        does=Does.HOLD,
        there=(stop_updater, cancel),
        ends=Ends(admin=Which.OLD, back=Back.NOBODY, stage=Stage.CANCELLED, walk=WalkStep.OPENED),
    ),
    Case(
        title="two attempts, each with an updater of its own name",
        who="the new Admin",
        target="dying",
        then=(fails, resume),
        ends=old(Code.REPLACEMENT_START_FAILED, attempts=2),
    ),
)
