"""The page of one machine, and the page of all refusals: in Markdown, from the declarations alone."""

from __future__ import annotations

from collections.abc import Mapping

from ems_admin.machines.catalogue import CATALOGUE, Declared, Entry, Projected
from ems_admin.machines.codes import Code
from ems_admin.machines.refusals import SUBJECTS, Sentence, sentence
from ems_admin.machines.render.answered import Answer, answers
from ems_admin.machines.render.markdown import document, grid
from ems_admin.machines.render.matrix import checks, matrix, rows, rules, vocabulary

GENERATED = "<!-- Written by `make diagrams` from src/ems_admin/machines. Do not edit. -->"
LEGEND = (
    "**Bold** is committed. A `code` beside it is answered although the record moves. "
    "A `code` alone is answered, and nothing changes."
)

ORDER = (
    "The ways of a trigger are tried from top to bottom. "
    "If none can be taken, the first rule that failed names the refusal."
)


def page(entry: Entry) -> str:
    """Show one machine whole."""
    return document(
        GENERATED,
        f"# {entry.title}",
        entry.summary,
        f"State: {entry.record}. Declared in [`{entry.module}`](../../src/ems_admin/machines/{entry.module}).",
        f"![{entry.title}](../../diagrams/{entry.name}.svg)",
        *(_declared(entry) if isinstance(entry, Declared) else _projected(entry)),
        _refusals(entry),
    )


def _declared(entry: Declared) -> tuple[str, ...]:
    return (
        _together(entry),
        f"## Matrix\n\n{LEGEND}\n\n{matrix(entry.machine)}",
        f"## Order of checks\n\n{ORDER}\n\n{checks(entry)}",
        f"## Rules\n\n{rules(entry)}",
    )


def _together(entry: Declared) -> str:
    names = tuple(machine.name for machine in entry.regions.machines)
    if len(names) == 1:
        return ""
    links = ", ".join(name if name == entry.name else f"[{name}]({name}.md)" for name in names)
    return f"One record, one decision, one commit: {links} are asked in this order, and the first refusal wins."


def _projected(entry: Projected) -> tuple[str, ...]:
    intro = "Worked out at every read, stored nowhere. The first row that fits answers; an empty cell fits anything."
    tables = (f"## {table.name}\n\n{vocabulary(table)}\n\n{rows(table)}" for table in entry.tables)
    return (intro, *tables)


def _refusals(entry: Entry) -> str:
    by_code: dict[Code, list[Answer]] = {}
    for answer in answers(entry):
        by_code.setdefault(answer.code, []).append(answer)
    if not by_code:
        return ""
    lines = ((f"`{code}`", sentence(code).message) for code in by_code)
    return f"## Refusals\n\n{grid(('code', 'what a person is told'), lines)}"


def index() -> str:
    """List the machines."""
    lines = ((f"[{entry.title}]({entry.name}.md)", entry.summary, entry.record) for entry in CATALOGUE)
    return document(
        GENERATED,
        "# The machines",
        "Each is declared in one file. Its diagram, its matrix and this page are made from that file.",
        grid(("machine", "in a sentence", "state"), lines),
    )


def refusals() -> str:
    """List every code with its sentence and the ways on."""
    return document(
        GENERATED,
        "# Refusals",
        "What a person is told, and what can be done next. `ems-admin explain CODE` says the same, and who answers it.",
        *(f"## {subject}\n\n{_subject(sentences)}" for subject, sentences in SUBJECTS.items()),
    )


def _subject(sentences: Mapping[Code, Sentence]) -> str:
    return grid(("code", "what a person is told", "next"), (_line(code, told) for code, told in sentences.items()))


def _line(code: Code, told: Sentence) -> tuple[str, str, str]:
    ways = "<br/>".join(f"{action.label}: `{action.method} {action.path}`" for action in told.next_actions)
    return f"`{code}`", told.message, ways
