"""The vocabularies of the declarations as TypeScript unions, so that a `switch` in the console is exhaustive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ems_admin.machines.catalogue import CATALOGUE, Declared, Projected, answers
from ems_admin.machines.codes import Code
from ems_admin.machines.render.data import triggers

HEAD = """\
// Written by `make diagrams` from src/ems_admin/machines. Do not edit.
// long because: it lists every word of every machine"""


def typescript() -> str:
    """Give the whole module."""
    names = ",\n".join(f'  "{entry.name}"' for entry in CATALOGUE)
    machines = (
        f"export const MACHINES = [\n{names},\n] as const;\n\nexport type MachineName = (typeof MACHINES)[number];"
    )
    return "\n\n".join((HEAD, *_unions(), _union("Code", Code), machines)) + "\n"


def _unions() -> Iterator[str]:
    for entry in CATALOGUE:
        yield _union(f"{pascal(entry.name)}State", entry.states)
        if isinstance(entry, Declared):
            yield _union(f"{pascal(entry.name)}Trigger", triggers(entry))
        elif isinstance(entry, Projected):
            yield from (_union(pascal(table.name), answers(table)) for table in entry.tables[1:])


def _union(name: str, words: Iterable[str]) -> str:
    members = "\n".join(f'  | "{word}"' for word in words)
    return f"export type {name} =\n{members};"


def pascal(name: str) -> str:
    """Write `snake_case` as `PascalCase`."""
    return "".join(part.capitalize() for part in name.split("_"))
