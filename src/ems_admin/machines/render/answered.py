"""Who answers a code: the rules, the wrong states and the moving refusals of every machine."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from ems_admin.machines.catalogue import CATALOGUE, Declared, Entry, Projected
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import always


@frozen
class Answer:
    """One place in the declarations that may give a code."""

    code: Code
    entry: Entry
    because: str
    """The rule that did not hold, or where the trigger came at the wrong time."""


def answers(entry: Entry) -> tuple[Answer, ...]:
    """List what one machine may answer, in the order of its declaration, each once."""
    found = _of_tables(entry) if isinstance(entry, Projected) else _of_machine(entry)
    return tuple(dict.fromkeys(found))


def who_answers(code: Code) -> tuple[Answer, ...]:
    """List every place that may give `code`."""
    return tuple(answer for entry in CATALOGUE for answer in answers(entry) if answer.code is code)


def _of_machine(entry: Declared) -> Iterator[Answer]:
    begins = entry.regions.begins
    if entry.leads:
        yield from (Answer(Code(code), entry, guard.rule) for guard in begins.guards for code in guard.codes)
        if entry.regions.replaceable is not always:
            yield Answer(Code(begins.otherwise), entry, f"{begins.trigger.name} while the last one is not over.")
        yield Answer(Code(entry.regions.absent), entry, "Anything but a beginning while there is none.")
    for _, _, edges in entry.machine.cells():
        # The first edge names the refusal; the rules of later ones only choose among the ways.
        asked = edges[0].guards if edges else ()
        yield from (Answer(Code(code), entry, guard.rule) for guard in asked for code in guard.codes)
    for edge in entry.machine.edges:
        if edge.answers:
            broken = " ".join(guard.rule for guard in edge.unless)
            yield Answer(Code(edge.answers.code), entry, broken or f"{edge.trigger.name} is always answered so.")
    states: dict[tuple[str, Code], list[str]] = {}
    for trigger, state, edges in entry.machine.cells():
        if not edges and (code := entry.machine.otherwise_of(trigger, state)):
            states.setdefault((trigger.name, Code(code)), []).append(state)
    yield from (Answer(code, entry, f"{trigger} in {', '.join(wrong)}.") for (trigger, code), wrong in states.items())


def _of_tables(entry: Projected) -> Iterator[Answer]:
    known = frozenset(str(code) for code in Code)
    for row in (row for table in entry.refusing for row in table.rows if row.answer in known):
        cells = (f"{column} is {' or '.join(sorted(cell))}" for column, cell in row.cells.items())
        yield Answer(Code(row.answer), entry, f"While {' and '.join(cells)}.")
