"""A machine as a graph: what both drawings have in common.

An edge that stays where it is would only clutter a drawing, so its trigger stands in the state itself. Arrows that say
the same are drawn as one: from several states to one, or from one to several.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ems_admin.machines.kernel import Edge, Machine


@frozen
class Label:
    """One trigger on an arrow, and the code that is answered although the record moves."""

    trigger: str
    answers: str | None


@frozen
class Node:
    """One state, and the triggers that it takes without leaving."""

    name: str
    initial: bool
    final: bool
    stays: tuple[str, ...]


@frozen
class Arrow:
    """What leads from these states to those. One of the two sides is a single state."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    labels: tuple[Label, ...]
    from_anywhere: bool = False
    """Whether the sources are all the states that are open, the target itself left out."""


@frozen
class Graph:
    """Nodes in the order of the states, arrows in the order of the edges."""

    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]


CROWD = 5
"""From this number of labels on, arrows that say the same are drawn as one."""
MANY = 3
"""From this number of targets on, one trigger from one state is drawn as one arrow."""


def graph(machine: Machine[Any, Any]) -> Graph:
    """Lay out a machine."""
    nodes = tuple(
        Node(
            name=str(state),
            initial=state in machine.initial,
            final=state in machine.final,
            stays=_stays(machine, state),
        )
        for state in machine.states
    )
    return Graph(nodes, tuple(_arrows(machine)))


def label(edge: Edge[Any, Any]) -> Label:
    """Give what is written on the arrow of an edge."""
    return Label(edge.trigger.name, str(edge.answers.code) if edge.answers else None)


def can_be_taken(edge: Edge[Any, Any]) -> bool:
    """Say whether every guard can hold. An edge with one that never does is there to refuse by its codes."""
    return all(any(answer is None for answer in guard.answers.values()) for guard in edge.guards)


def _stays(machine: Machine[Any, Any], state: object) -> tuple[str, ...]:
    staying = (edge for edge in machine.edges if state in edge.sources and edge.target is state)
    return tuple(dict.fromkeys(edge.trigger.name for edge in staying if can_be_taken(edge)))


def _arrows(machine: Machine[Any, Any]) -> Iterator[Arrow]:
    moves = dict.fromkeys(
        (str(source), str(edge.target), label(edge))
        for edge in machine.edges
        for source in edge.sources
        if source is not edge.target and can_be_taken(edge)
    )
    left = list(moves)
    for find in (_from_anywhere, _fans):
        found = tuple(find(machine, tuple(left)))
        yield from found
        drawn = {(s, t, text) for arrow in found for s in arrow.sources for t in arrow.targets for text in arrow.labels}
        left = [move for move in left if move not in drawn]
    yield from _plain(tuple(left))


Move = tuple[str, str, Label]


def _from_anywhere(machine: Machine[Any, Any], moves: tuple[Move, ...]) -> Iterator[Arrow]:
    """Find what leads to a state from wherever the machine is, as long as it is not over."""
    for target in (str(state) for state in machine.states):
        everywhere = tuple(str(s) for s in machine.states if s not in machine.final and s != target)
        labels = dict.fromkeys(text for _, to, text in moves if to == target)
        common = tuple(text for text in labels if all((source, target, text) in moves for source in everywhere))
        # Few arrows with few words are easier to read than the words "any open state".
        if len(everywhere) > 1 and len(everywhere) * len(common) >= CROWD:
            yield Arrow(everywhere, (target,), common, from_anywhere=True)


def _fans(_machine: object, moves: tuple[Move, ...]) -> Iterator[Arrow]:
    """Find what leads from one state to many by the same trigger: the facts choose among them."""
    for source, text in dict.fromkeys((source, text) for source, _, text in moves):
        targets = tuple(to for by, to, word in moves if (by, word) == (source, text))
        if len(targets) >= MANY:
            yield Arrow((source,), targets, (text,))


def _plain(moves: tuple[Move, ...]) -> Iterator[Arrow]:
    between: dict[tuple[str, str], list[Label]] = {}
    for source, target, text in moves:
        between.setdefault((source, target), []).append(text)
    merged: dict[tuple[str, tuple[Label, ...]], list[str]] = {}
    for (source, target), labels in between.items():
        merged.setdefault((target, tuple(labels)), []).append(source)
    for (target, words), sources in merged.items():
        if len(sources) > 1 and len(sources) * len(words) >= CROWD:
            yield Arrow(tuple(sources), (target,), words)
        else:
            yield from (Arrow((source,), (target,), words) for source in sources)
