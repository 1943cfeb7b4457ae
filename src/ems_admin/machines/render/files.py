"""Every generated file as text, by its path in the checkout. Nothing is written here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ems_admin.machines.catalogue import CATALOGUE
from ems_admin.machines.render.dot import dot
from ems_admin.machines.render.mermaid import mermaid
from ems_admin.machines.render.page import index, page, refusals
from ems_admin.machines.render.seams import seams
from ems_admin.machines.render.typescript import typescript

TYPESCRIPT: Final = "src/ems_admin/http/console/src/generated/machines.ts"
OWNED: Final = ("diagrams/*.mmd", "diagrams/*.svg", "docs/machines/*.md")
"""Where nothing but generated files may lie: what a machine that is gone has left there is stale."""


def texts() -> Mapping[str, str]:
    """Render everything that is text through and through."""
    return {
        **{f"diagrams/{entry.name}.mmd": mermaid(entry) for entry in CATALOGUE},
        **{f"docs/machines/{entry.name}.md": page(entry) for entry in CATALOGUE},
        "docs/machines/README.md": index(),
        "docs/seams.md": seams(),
        "docs/refusals.md": refusals(),
        TYPESCRIPT: typescript(),
    }


def pictures() -> Mapping[str, tuple[str, str]]:
    """Give, for every picture, its title and the text that Graphviz draws it from."""
    return {f"diagrams/{entry.name}.svg": (entry.title, dot(entry)) for entry in CATALOGUE}
