"""What every trigger does in every state, in which order is checked, and by which rules: in Markdown."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ems_admin.machines.catalogue import Declared, answers
from ems_admin.machines.kernel import Edge, Guard, Machine, Table, Trigger
from ems_admin.machines.render.graph import can_be_taken
from ems_admin.machines.render.markdown import codes, grid


def matrix(machine: Machine[Any, Any]) -> str:
    """Show the whole matrix: what is committed in bold, what is answered as a code."""
    rows: dict[Trigger[Any], list[str]] = {}
    for trigger, state, edges in machine.cells():
        moves = dict.fromkeys(_move(edge) for edge in edges)
        cell = "<br/>".join(moves) or f"`{machine.otherwise_of(trigger, state)}`"
        rows.setdefault(trigger, []).append(cell)
    head = ("", *(f"{state}" for state in machine.states))
    return grid(head, ((f"**{trigger.name}**", *row) for trigger, row in rows.items()))


def _move(edge: Edge[Any, Any]) -> str:
    if not can_be_taken(edge):
        return codes(edge.guards[-1].codes)
    return f"**{edge.target}**" + (f", `{edge.answers.code}`" if edge.answers else "")


@frozen
class Way:
    """One way that a trigger can go, in words."""

    trigger: str
    leads: str
    asked: str
    """The rules in the order in which they are asked."""


def ways(entry: Declared) -> tuple[Way, ...]:
    """List, for each trigger, the ways that it can go, in the order in which they are tried."""
    begins = entry.regions.begins
    beginning = (Way(begins.trigger.name, "begins", _names(begins.guards, ())),) if entry.leads else ()
    found = (
        Way(trigger.name, _leads(edge), _names(edge.guards, edge.unless))
        for trigger in entry.machine.triggers
        for edge in entry.machine.edges
        if edge.trigger is trigger
    )
    return tuple(dict.fromkeys((*beginning, *found)))


def checks(entry: Declared) -> str:
    """Show the ways of every trigger."""
    lines = ((f"**{way.trigger}**", way.leads, way.asked) for way in ways(entry))
    return grid(("trigger", "way", "asked in this order"), lines)


def _leads(edge: Edge[Any, Any]) -> str:
    if not can_be_taken(edge):
        return f"refused in {', '.join(edge.sources)}"
    sources = tuple(source for source in edge.sources if source is not edge.target)
    code = f", answers {edge.answers.code}" if edge.answers else ""
    if not sources:
        return f"stays {edge.target}{code}"
    more = " (or stays)" if len(sources) < len(edge.sources) else ""
    return f"{', '.join(sources)} → {edge.target}{more}{code}"


def _names(asked: tuple[Guard[Any, Any], ...], unless: tuple[Guard[Any, Any], ...]) -> str:
    return ", ".join((*(guard.name for guard in asked), *(f"not {guard.name}" for guard in unless))) or "nothing"


def guards(entry: Declared) -> tuple[Guard[Any, Any], ...]:
    """List every rule of a machine once, in the order of the edges."""
    begins = entry.regions.begins.guards if entry.leads else ()
    asked = (guard for edge in entry.machine.edges for guard in (*edge.guards, *edge.unless))
    return tuple(dict.fromkeys((*begins, *asked)))


def rules(entry: Declared) -> str:
    """Show every rule once: its sentence, and what is answered when it does not hold."""
    rows = ((guard.name, guard.rule, codes(guard.codes)) for guard in guards(entry))
    return grid(("rule", "holds when", "otherwise"), rows)


def rows(table: Table[Any, Any]) -> str:
    """Show the rows of a table. The first that fits answers; an empty cell fits anything."""
    lines = (
        (
            *(", ".join(m for m in kind if m in row.cells.get(column, ())) for column, kind in table.columns.items()),
            f"**{row.answer}**",
        )
        for row in table.rows
    )
    return grid((*table.columns, table.name), lines)


def vocabulary(table: Table[Any, Any]) -> str:
    """Say in a sentence what the answers of a table mean."""
    return (answers(table).__doc__ or "").partition("\n")[0]
