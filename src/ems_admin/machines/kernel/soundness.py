"""What can be wrong with a declaration, one rule a function.

They are asked at import, so that a broken machine never decides. A rule yields its faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from itertools import combinations
from typing import Any, Final, TypeAlias

from ems_admin.machines.kernel import edges as ways
from ems_admin.machines.kernel.declaration import Declaration, DeclarationError

AnyMachine: TypeAlias = Declaration[Any, Any]


def check(machine: AnyMachine) -> None:
    """Raise one `DeclarationError` that names every fault, if there is any."""
    if faults := [fault for rule in RULES for fault in rule(machine)]:
        raise DeclarationError(machine.name, faults)


def every_state_is_known(machine: AnyMachine) -> Iterator[str]:
    """Edges, ends and wrong states speak of the machine's own states, and each edge begins somewhere."""
    for edge in machine.edges:
        if not edge.sources:
            yield f"{edge.trigger.name} has an edge from nowhere"
    spoken = [state for edge in machine.edges for state in (*edge.sources, edge.target)]
    spoken += (*machine.initial, *machine.final)
    spoken += (state for codes in machine.otherwise.values() if isinstance(codes, Mapping) for state in codes)
    # By type, not by `in`: members of two enums may spell the same word.
    for state in dict.fromkeys(
        f"{type(state).__name__}.{state}" for state in spoken if type(state) is not machine.states
    ):
        yield f"{state} is none of its states"


def every_state_is_reachable(machine: AnyMachine) -> Iterator[str]:
    """Every state can be reached from an initial one, by edges that can be taken."""
    reached = set(machine.initial)
    taken = [edge for edge in machine.edges if ways.may_be_taken(edge)]
    while more := {e.target for e in taken if reached.intersection(e.sources)} - reached:
        reached |= more
    for state in machine.states:
        if state not in reached:
            yield f"{state} cannot be reached"


def every_state_can_be_left(machine: AnyMachine) -> Iterator[str]:
    """Every state that is not final has an edge to another one."""
    taken = [edge for edge in machine.edges if ways.may_be_taken(edge)]
    left = {state for edge in taken for state in edge.sources if state is not edge.target}
    for state in machine.states:
        if state not in left and state not in machine.final:
            yield f"{state} is a dead end, yet not final"


def final_is_final(machine: AnyMachine) -> Iterator[str]:
    """No edge leads out of a final state: a record that is over is replaced, not revived.

    An edge that stays there, assigns nothing and promises nothing is an idempotent answer, such as a second cancel.
    """
    for edge in machine.edges:
        for state in edge.sources:
            if state in machine.final and not (edge.target is state and ways.is_idempotent(edge)):
                yield f"{state} is final, yet {edge.trigger.name} has an edge from it"


def no_edge_is_shadowed(machine: AnyMachine) -> Iterator[str]:
    """No edge stands behind others that, taken together, leave nothing for it."""
    for trigger, state, edges in machine.cells():
        for place, edge in enumerate(edges):
            if not ways.contradicts_itself(edge) and not ways.is_left_open(edge, earlier=edges[:place]):
                yield f"{trigger.name} from {state} to {edge.target} is shadowed"


def no_edge_contradicts_itself(machine: AnyMachine) -> Iterator[str]:
    """No edge wants a rule both to hold and to fail."""
    for edge in machine.edges:
        if ways.contradicts_itself(edge):
            yield f"{edge.trigger.name} to {edge.target} wants one rule to hold and to fail"


def every_refusal_has_a_code(machine: AnyMachine) -> Iterator[str]:
    """The first edge has guards only: a rule under `unless` chooses an edge, it gives no code."""
    for trigger, state, edges in machine.cells():
        if edges and edges[0].unless:
            yield f"{trigger.name} from {state} can be refused without a code"


def every_trigger_is_used(machine: AnyMachine) -> Iterator[str]:
    """Every trigger that is declared has an edge, and a name of its own."""
    for trigger in machine.otherwise:
        if trigger not in machine.triggers:
            yield f"{trigger.name} is declared, yet has no edge"
    for first, later in combinations(machine.triggers, 2):
        if first.name == later.name:
            yield f"two triggers are called {first.name}"


def every_code_is_declared(machine: AnyMachine) -> Iterator[str]:
    """Guards, edges and `otherwise` answer only what the vocabulary holds."""
    for who, code in answers(machine):
        # By type, not by `in`: members of two vocabularies may spell the same word.
        if not isinstance(code, machine.codes):
            yield f"{who} answers {code}, which is not declared"


def every_wrong_state_has_a_code(machine: AnyMachine) -> Iterator[str]:
    """In every state a trigger has an edge or a code, never both, and never neither."""
    for trigger, state, edges in machine.cells():
        code = machine.otherwise_of(trigger, state)
        if not edges and code is None:
            yield f"{trigger.name} has neither edge nor code in {state}"
        if edges and code and isinstance(machine.otherwise[trigger], Mapping):
            yield f"{trigger.name} has both edge and code in {state}"
    deaf = {trigger for trigger, _, edges in machine.cells() if not edges}
    for trigger in machine.triggers:
        if trigger in machine.otherwise and trigger not in deaf:
            yield f"{trigger.name} has an edge in every state, its code can never be given"


def answers(machine: AnyMachine) -> Iterator[tuple[str, StrEnum]]:
    """List who may answer which code: guards, moving refusals, triggers in a wrong state."""
    for edge in machine.edges:
        for guard in (*edge.guards, *edge.unless):
            yield from ((guard.name, code) for code in guard.codes)
        if edge.answers:
            yield edge.trigger.name, edge.answers.code
    for trigger, declared in machine.otherwise.items():
        codes = declared.values() if isinstance(declared, Mapping) else (declared,)
        yield from ((trigger.name, code) for code in codes)


RULES: Final[tuple[Callable[[AnyMachine], Iterator[str]], ...]] = (
    every_state_is_known,
    every_state_is_reachable,
    every_state_can_be_left,
    final_is_final,
    no_edge_is_shadowed,
    no_edge_contradicts_itself,
    every_refusal_has_a_code,
    every_trigger_is_used,
    every_code_is_declared,
    every_wrong_state_has_a_code,
)
