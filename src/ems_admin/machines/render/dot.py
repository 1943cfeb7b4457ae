"""A machine, or a table, for Graphviz: quiet lines, rounded cards, one arrow for many edges.

Every state is a group with the id `state-<name>` and the class `state`, so that a page can light the current one.
The ground is transparent, and no style sheet is embedded: a strict content policy shows the drawing as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from textwrap import wrap
from typing import Any

from ems_admin.machines.catalogue import Declared, Entry
from ems_admin.machines.kernel import Table
from ems_admin.machines.render import palette
from ems_admin.machines.render.graph import Arrow, Graph, Label, Node, graph

MANY_STATES = 5
"""Up to this number the drawing runs from left to right, beyond it from top to bottom."""
LONGEST = 36
"""Letters in one line of a question."""


def dot(entry: Entry) -> str:
    """Draw one entry of the catalogue."""
    if isinstance(entry, Declared):
        drawn = graph(entry.machine)
        begins = entry.regions.begins.trigger.name if entry.leads else ""
        rankdir = "LR" if len(drawn.nodes) <= MANY_STATES else "TB"
        return _document(entry.name, _machine(drawn, begins), rankdir=rankdir)
    return _document(entry.name, _table(entry.tables[0]), rankdir="LR")


def _document(name: str, lines: Iterable[str], *, rankdir: str) -> str:
    font, words = f'fontname="{palette.FONT}"', palette.WORDS
    head = (
        f'digraph "{name}" {{',
        f"  graph [bgcolor=transparent, rankdir={rankdir}, pad=0.25, nodesep=0.4, ranksep=0.45, {font}]",
        f'  node [shape=box, style="rounded,filled", penwidth=1.3, margin="0.16,0.1", fontsize=13, {font}]',
        f'  edge [color="{palette.LINE}", penwidth=1.2, arrowsize=0.7, fontcolor="{words}", fontsize=11, {font}]',
    )
    return "\n".join((*head, *(f"  {line}" for line in lines), "}")) + "\n"


def _machine(drawn: Graph, begins: str) -> Iterator[str]:
    yield from (_state(node) for node in drawn.nodes)
    for node in drawn.nodes:
        if node.initial:
            dot_name = f"begin {node.name}"
            yield f'"{dot_name}" [shape=circle, style=filled, label="", width=0.14, fixedsize=true, {_ink()}]'
            yield f'"{dot_name}" -> "{node.name}" [class=begin, label={_labels((Label(begins, None),))}]'
    # An end lies beyond every state that leads to it, wherever its vocabulary names it.
    order = {node.name: place + len(drawn.nodes) * node.final for place, node in enumerate(drawn.nodes)}
    for number, arrow in enumerate(drawn.arrows):
        yield from _arrow(arrow, f"joint {number}", order)


def _state(node: Node) -> str:
    card = palette.END if node.final else palette.BEGINNING if node.initial else palette.PLAIN
    kind = "final" if node.final else "initial" if node.initial else "open"
    return _card(node.name, card, notes=node.stays, kind=kind, more=", peripheries=2" if node.final else "")


def _card(name: str, card: palette.Card, *, notes: tuple[str, ...] = (), kind: str, more: str = "") -> str:
    rows = [f'<tr><td><b><font color="{card.name}">{escape(name)}</font></b></td></tr>']
    for note in notes:
        words = f'<font point-size="10" color="{card.note}">&#8635; {escape(note)}</font>'
        rows.append(f'<tr><td align="left">{words}</td></tr>')
    ink = f'fillcolor="{card.fill}", color="{card.border}"'
    return f'"{name}" [id="state-{name}", class="state {kind}", label=<{_grid(rows)}>, {ink}{more}]'


def _arrow(arrow: Arrow, joint: str, order: dict[str, int]) -> Iterator[str]:
    """Draw the arrow, or stand-ins for its many ends. What leads backwards does not push states about."""
    words = f"label={_labels(arrow.labels)}, {_look(arrow)}"
    if len(arrow.sources) == len(arrow.targets) == 1:
        step = order[arrow.targets[0]] - order[arrow.sources[0]]
        way = ", weight=8" if step == 1 else ", constraint=false" if step < 0 else ""
        yield f'"{arrow.sources[0]}" -> "{arrow.targets[0]}" [{words}{way}]'
    elif arrow.from_anywhere:
        yield _stand_in(joint, ("any open state",))
        yield f'"{joint}" -> "{arrow.targets[0]}" [{words}]'
    elif len(arrow.targets) > 1:
        yield _stand_in(joint, arrow.targets)
        yield f'"{arrow.sources[0]}" -> "{joint}" [{words}]'
    else:
        yield f'"{joint}" [shape=point, width=0.05, {_ink()}]'
        yield from (f'"{source}" -> "{joint}" [arrowhead=none, {_look(arrow)}]' for source in arrow.sources)
        yield f'"{joint}" -> "{arrow.targets[0]}" [{words}]'


def _stand_in(joint: str, states: tuple[str, ...]) -> str:
    """Name the states where lines to all of them would hide the rest."""
    rows = [
        f'<tr><td><i><font point-size="11" color="{palette.WORDS}">{escape(state)}</font></i></td></tr>'
        for state in states
    ]
    look = f'class="stand-in", style="rounded,dashed", color="{palette.LINE}", penwidth=0.9, height=0.3'
    return f'"{joint}" [label=<{_grid(rows)}>, margin="0.12,0.05", {look}]'


def _look(arrow: Arrow) -> str:
    if all(label.answers for label in arrow.labels):
        return f'class=refused, style=dashed, color="{palette.REFUSED}"'
    return "class=move"


def _ink() -> str:
    return f'fillcolor="{palette.LINE}", color="{palette.LINE}"'


def _labels(labels: tuple[Label, ...]) -> str:
    """Set one trigger a line, beside its arrow; what is answered all the same stands in the colour of refusals."""
    rows = []
    for label in sorted(labels, key=lambda label: label.answers is not None):
        words = escape(label.trigger)
        if label.answers:
            words = f'<font color="{palette.REFUSED}">{words}: {escape(label.answers)}</font>'
        rows.append(f'<tr><td align="left">{words}</td></tr>')
    return f"<{_grid(rows, padding=0, spacing=2)}>"


def _grid(rows: list[str], *, padding: int = 1, spacing: int = 0) -> str:
    frame = f'border="0" cellborder="0" cellspacing="{spacing}" cellpadding="{padding}"'
    return f"<table {frame}>{''.join(rows)}</table>"


def _table(table: Table[Any, Any]) -> Iterator[str]:
    """Draw a ladder: the questions downwards in the order in which they are asked, the answers beside them."""
    answers = tuple(dict.fromkeys(str(row.answer) for row in table.rows))
    yield from (_card(answer, palette.PLAIN, kind="open", more=", width=2") for answer in answers)
    for number, row in enumerate(table.rows):
        cells = (f"{c} is {' or '.join(_in_order(table, c, row.cells[c]))}" for c in table.columns if c in row.cells)
        yield _question(number, tuple(line for cell in cells for line in wrap(cell, LONGEST, break_long_words=False)))
        yield f'"ask {number}" -> "{row.answer}" [class=move]'
    steps = " -> ".join(f'"ask {number}"' for number in range(len(table.rows)))
    yield f"{{ rank=same; edge [style=dotted, class=otherwise]; {steps} }}"


def _in_order(table: Table[Any, Any], column: str, cell: Iterable[Any]) -> tuple[str, ...]:
    """Name the members of a cell in the order of their vocabulary."""
    members = frozenset(cell)
    return tuple(str(member) for member in table.columns[column] if member in members)


def _question(number: int, lines: tuple[str, ...]) -> str:
    card = palette.QUESTION
    words = (f'<font point-size="11" color="{card.name}">{escape(line)}</font>' for line in lines or ("otherwise",))
    rows = [f'<tr><td align="left">{line}</td></tr>' for line in words]
    ink = f'fillcolor="{card.fill}", color="{card.border}"'
    return f'"ask {number}" [class=question, label=<{_grid(rows)}>, width=2.6, {ink}]'
