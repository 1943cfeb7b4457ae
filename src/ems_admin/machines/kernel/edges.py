"""What can be said of edges before any record is known: whether they can be taken, alone or behind others.

A rule holds or fails, and nothing is assumed about how two rules depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, TypeAlias

from ems_admin.machines.kernel.declaration import HOLDS, Edge, Guard, nothing, stays

AnyEdge: TypeAlias = Edge[Any, Any]
AnyGuard: TypeAlias = Guard[Any, Any]


def may_be_taken(edge: AnyEdge) -> bool:
    """Say whether some verdict on each guard lets the edge pass.

    A guard whose every verdict has a code only says why: its edge is the declared form of a refusal with several codes.
    """
    return all(HOLDS in guard.answers.values() for guard in edge.guards) and not contradicts_itself(edge)


def contradicts_itself(edge: AnyEdge) -> bool:
    """Say whether one rule would have to hold and to fail."""
    return not {*edge.guards}.isdisjoint(edge.unless)


def is_idempotent(edge: AnyEdge) -> bool:
    """Say whether the edge does no more than answer once again."""
    return edge.assigns is stays and edge.effects is nothing and edge.answers is None


def is_left_open(edge: AnyEdge, *, earlier: Sequence[AnyEdge]) -> bool:
    """Say whether some outcome of the rules passes every earlier edge by and fits this one.

    Worked out by trying them all: a cell of a matrix has a handful of rules. Those that the edge itself settles are
    not varied.
    """
    settled = dict.fromkeys(edge.guards, True) | dict.fromkeys(edge.unless, False)
    asked = dict.fromkeys(guard for other in earlier for guard in (*other.guards, *other.unless))
    open_rules = [guard for guard in asked if guard not in settled]
    outcomes = (settled | dict(zip(open_rules, held, strict=True)) for held in product(*map(_outcomes, open_rules)))
    return any(not any(_fits(other, held) for other in earlier) for held in outcomes)


def _outcomes(guard: AnyGuard) -> tuple[bool, ...]:
    return (False, True) if HOLDS in guard.answers.values() else (False,)


def _fits(edge: AnyEdge, held: dict[AnyGuard, bool]) -> bool:
    return all(held[guard] for guard in edge.guards) and not any(held[guard] for guard in edge.unless)
