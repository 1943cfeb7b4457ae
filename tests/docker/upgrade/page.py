"""The part of the crash matrix about upgrades on a real Docker daemon: the cases as the tests hold them."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.render.markdown import document, grid
from tests.docker.upgrade.case import UpgradeCut
from tests.docker.upgrade.table import GROUPS

TITLE: Final = "## An upgrade on a real Docker daemon"
INTRO: Final = (
    "Each case has a site of its own, on which an EMS was installed over HTTP and an upgrade agreed to. A fuse in the "
    "image holds the process at the named point. Then engine, shims, containers and Admin are gone in one instant, for "
    "all cases of a group at once, and the engine is started again. The operator signs in anew and looks; whatever he "
    "is told before the upgrade is over is shown."
)
HELD: Final = (
    "While nothing runs it is asked of the disk which build is known to be good. At the end of each case disk and "
    "engine are asked whether one Admin and one EMS run, of the build that B1 and B5 name, and nothing is aside but "
    "an EMS that has failed; whether there is one backup of the upgrade, the very file that was there in the dark; and "
    "whether its config was written once."
)
HEAD: Final = ("the power is cut", "step", "Admin before it", "B1 in the dark", "known-good", "the operator", "is told")


def upgrade_section() -> str:
    """Show every case."""
    parts = (part for group in GROUPS for part in (f"### {group.title}", grid(HEAD, map(line, group.cases))))
    total = sum(len(group.cases) for group in GROUPS)
    return document(TITLE, INTRO, HELD, *parts, f"{total} cuts of an upgrade on a real daemon.").strip()


def line(case: UpgradeCut) -> tuple[str, ...]:
    """Show one case."""
    stage = f"`{case.stage}`" if case.stage else "none of it"
    good = "the new build" if case.known_good else "the old build"
    told = ", ".join(f"`{code}`" for code in case.heard) or "nothing"
    return (case.title, f"`{case.step}`", case.serving, stage, good, case.wish, told)
