"""A machine, or a table, as a Mermaid drawing: for pages and tools that draw Mermaid themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ems_admin.machines.catalogue import Declared, Entry
from ems_admin.machines.kernel import Table
from ems_admin.machines.render.graph import Arrow, Label, graph

CONFIG = "%%{init: {'theme': 'neutral'}}%%"


def mermaid(entry: Entry) -> str:
    """Draw one entry of the catalogue."""
    lines = _machine(entry) if isinstance(entry, Declared) else _table(entry.tables[0])
    return "\n".join((CONFIG, *lines)) + "\n"


def _machine(entry: Declared) -> Iterator[str]:
    drawn = graph(entry.machine)
    yield "stateDiagram-v2"
    # A state may be called as a keyword of Mermaid is, so the names in the drawing are prefixed.
    yield from (f'  state "{node.name}" as s_{node.name}' for node in drawn.nodes)
    begins = f": {entry.regions.begins.trigger.name}" if entry.leads else ""
    yield from (f"  [*] --> s_{node.name}{begins}" for node in drawn.nodes if node.initial)
    for arrow in drawn.arrows:
        yield from (f"  {line}" for line in _arrow(arrow))
    for node in drawn.nodes:
        if node.stays:
            yield f"  s_{node.name}: stays by {', '.join(node.stays)}"
    yield from (f"  s_{node.name} --> [*]" for node in drawn.nodes if node.final)


def _arrow(arrow: Arrow) -> Iterator[str]:
    words = "<br/>".join(_label(label) for label in arrow.labels)
    for source in arrow.sources:
        yield from (f"s_{source} --> s_{target}: {words}" for target in arrow.targets)


def _label(label: Label) -> str:
    return f"{label.trigger} ({label.answers})" if label.answers else label.trigger


def _table(table: Table[Any, Any]) -> Iterator[str]:
    yield "flowchart TD"
    yield from (f'  {answer}_answer(["{answer}"])' for answer in dict.fromkeys(row.answer for row in table.rows))
    for number, row in enumerate(table.rows, 1):
        lines = (f"{c} is {' or '.join(m for m in table.columns[c] if m in row.cells[c])}" for c in row.cells)
        yield f'  ask{number}["{"<br/>".join(lines) or "otherwise"}"] --> {row.answer}_answer'
    yield from (f"  ask{number} -.-> ask{number + 1}" for number in range(1, len(table.rows)))
