"""The page of the seams: acts over several records, and what a start does wherever one was cut."""

from __future__ import annotations

from ems_admin.machines.kernel import AfterCut, Seam
from ems_admin.machines.render.markdown import document, grid
from ems_admin.machines.render.matrix import rows
from ems_admin.machines.render.page import GENERATED
from ems_admin.machines.seams import CONFIG_COMMIT_STANDING, SEAMS

WORDS = {
    AfterCut.GO_ON: "goes on",
    AfterCut.ROLL_BACK: "takes back what was done",
    AfterCut.REST: "does nothing",
    None: "",
}

INTRO = (
    "No disk commits two files at once. Where an act changes several, its steps are done in this order and no other, "
    "each durable before the next. The last column says what the next start does when the power went right after a "
    "step."
)


def seams() -> str:
    """Show every seam, and how a cut config commit is told from its files."""
    standing = (
        "## Where a config commit was cut\n\nThe intent holds the hashes of both files before and after. "
        f"What the files are now says which way leads out.\n\n{rows(CONFIG_COMMIT_STANDING)}"
    )
    return document(GENERATED, "# Seams", INTRO, *(_seam(seam) for seam in SEAMS), standing)


def _seam(seam: Seam) -> str:
    lines = (
        (str(number), f"**{step.name}**", step.changes, WORDS[step.after_cut], step.because)
        for number, step in enumerate(seam.steps, 1)
    )
    return f"## {seam.name}\n\n{seam.summary}\n\n" + grid(("", "step", "changes", "a start after it", "because"), lines)
