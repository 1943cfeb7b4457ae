"""The declarations as plain data: what `GET /api/admin/machines` answers, and what other tools may read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ems_admin.machines.catalogue import Declared, Entry, Projected
from ems_admin.machines.kernel import Edge, Table
from ems_admin.machines.render.matrix import guards

Data = Mapping[str, object]


def data(entry: Entry) -> Data:
    """Give one entry; every value is of JSON."""
    common = {"name": entry.name, "title": entry.title, "summary": entry.summary, "record": entry.record}
    return common | (_declared(entry) if isinstance(entry, Declared) else _projected(entry))


def _declared(entry: Declared) -> dict[str, object]:
    machine = entry.machine
    return {
        "kind": "machine",
        "states": [str(state) for state in machine.states],
        "initial": [str(state) for state in machine.initial],
        "final": [str(state) for state in machine.final],
        "triggers": triggers(entry),
        "edges": [_edge(edge) for edge in machine.edges],
        "otherwise": {
            trigger.name: {
                str(state): str(machine.otherwise_of(trigger, state))
                for heard, state, edges in machine.cells()
                if heard is trigger and not edges
            }
            for trigger in machine.triggers
        },
        "guards": [
            {"name": guard.name, "rule": guard.rule, "codes": [str(code) for code in guard.codes]}
            for guard in guards(entry)
        ],
    }


def triggers(entry: Declared) -> list[str]:
    """Name the triggers that a machine hears; the one that begins its record belongs to the machine that leads."""
    begins = [entry.regions.begins.trigger.name] if entry.leads else []
    return begins + [trigger.name for trigger in entry.machine.triggers]


def _edge(edge: Edge[Any, Any]) -> dict[str, object]:
    return {
        "trigger": edge.trigger.name,
        "sources": [str(source) for source in edge.sources],
        "target": str(edge.target),
        "guards": [guard.name for guard in edge.guards],
        "unless": [guard.name for guard in edge.unless],
        "answers": str(edge.answers.code) if edge.answers else None,
    }


def _projected(entry: Projected) -> dict[str, object]:
    return {
        "kind": "table",
        "states": [str(state) for state in entry.states],
        "initial": [],
        "final": [],
        "triggers": [],
        "edges": [],
        "tables": [_table(table) for table in entry.tables],
    }


def _table(table: Table[Any, Any]) -> dict[str, object]:
    return {
        "name": table.name,
        "columns": {column: [str(member) for member in kind] for column, kind in table.columns.items()},
        "rows": [
            {
                "answer": str(row.answer),
                "when": {c: [str(m) for m in table.columns[c] if m in cell] for c, cell in row.cells.items()},
            }
            for row in table.rows
        ],
    }
