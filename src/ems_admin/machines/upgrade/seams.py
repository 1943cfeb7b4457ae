"""The acts of upgrades over several records: how they begin, and how one takes back what it has done to the EMS.

A start goes on with neither: whoever resumes the upgrade, or ends it, decides. Source: `site.md` 3, 9; DESIGN 3.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.kernel import AfterCut, Seam, SeamStep


def step(name: str, *, changes: str, because: str) -> SeamStep:
    """Read as: the step, what it changes, and why what it leaves may rest."""
    return SeamStep(name=name, changes=changes, after_cut=AfterCut.REST, because=because)


UPGRADE_BEGINNING: Final = Seam(
    name="upgrade_beginning",
    summary="What was chosen for an upgrade is on record before its operation comes into being.",
    steps=(
        step(
            "note_context",
            changes="B6",
            because="Its operation never began: safe recovery clears it, and the next upgrade takes its place.",
        ),
        SeamStep(
            name="begin_operation",
            changes="B1",
            after_cut=None,
            because="From here on a resume finds all that it needs.",
        ),
    ),
)

ADMIN_UPDATE_BEGINNING: Final = Seam(
    name="admin_update_beginning",
    summary="A plan names the operation that carries it out before that comes into being.",
    steps=(
        step(
            "name_operation",
            changes="B7",
            because="Its operation never began: the plan reads as planned, and is carried out once more.",
        ),
        SeamStep(
            name="begin_operation",
            changes="B1",
            after_cut=None,
            because="The operation goes on by its own resume, and the plan shows how far it is.",
        ),
    ),
)

UPGRADE_WAY_BACK: Final = Seam(
    name="upgrade_way_back",
    summary="An EMS that is not well gives way to the build that was last known to be good.",
    steps=(
        step(
            "take_back_migration",
            changes="B6",
            because="The config is still the new one, and writing it once more changes nothing.",
        ),
        step(
            "restore_config",
            changes="config.json",
            because="The operation has not said that it failed: a resume looks at the EMS, and goes back once more.",
        ),
        step(
            "restore_stack",
            changes="stack file and B3",
            because="What is written down is about to run, and the operation still waits for it.",
        ),
        SeamStep(
            name="start_known_good",
            changes="services of the EMS",
            after_cut=None,
            because="Only the digest that runs says that it is back, and only then the operation says that it failed.",
        ),
    ),
)
