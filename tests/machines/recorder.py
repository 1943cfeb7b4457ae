"""What of a declaration is exercised by no step of its transcripts.

Looked for are: every edge, from each of its sources; every code that a guard can name; every code of a wrong state, by
trigger; and the refusals of a beginning.

A guard names a refusal only where it stands on the first edge of a cell, for the first edge speaks for its cell. The
code counts as heard when it was answered, and also when a later edge was taken because this very guard had failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ems_admin.machines.kernel import Edge, Guard, Machine, Refusal, Refused, Regions, Step, always
from tests.machines.transcript import Heard

AnyGuard = Guard[Any, Any]
Seen = tuple[object, ...]


def untold(regions: Regions[Any], steps: Iterable[Heard[Any]]) -> Iterator[str]:
    """Name what no step has exercised, as a person would look for it in the declaration."""
    seen = {mark for heard in steps for mark in _marks(regions, heard)}
    for mark, words in _declared(regions):
        if mark not in seen:
            yield words


def _declared(regions: Regions[Any]) -> Iterator[tuple[Seen, str]]:
    begins = regions.begins
    yield ("began", begins.trigger), f"{begins.trigger.name} begins a record"
    if regions.replaceable is not always:
        yield ("wrong", begins.trigger, begins.otherwise), f"{begins.trigger.name} is refused with {begins.otherwise}"
    yield ("absent", regions.absent), f"without a record there is {regions.absent}"
    for guard in begins.guards:
        yield from ((("guard", guard, code), f"{guard.name} answers {code}") for code in guard.codes)
    for machine in regions.machines:
        yield from _declared_by(machine)


def _declared_by(machine: Machine[Any, Any]) -> Iterator[tuple[Seen, str]]:
    for edge in machine.edges:
        if not can_be_taken(edge):
            continue
        for source in edge.sources:
            words = f"{machine.name}: {edge.trigger.name} from {source} to {edge.target}"
            yield ("edge", edge, source), f"{words} answering {edge.answers.code}" if edge.answers else words
    for trigger, state, edges in machine.cells():
        for guard in edges[0].guards if edges else ():
            yield from (
                (("guard", guard, code), f"{machine.name}: {guard.name} answers {code}") for code in guard.codes
            )
        if not edges:
            code = machine.otherwise_of(trigger, state)
            yield ("wrong", trigger, code), f"{machine.name}: {trigger.name} in {state} answers {code}"


def _marks(regions: Regions[Any], heard: Heard[Any]) -> Iterator[Seen]:
    if heard.trigger is regions.begins.trigger:
        if not isinstance(heard.decision, Refused):
            yield "began", heard.trigger
    elif heard.before is not None:
        # Asked once more, machine by machine: what one let pass counts for it, also when the next one refused.
        for machine in regions.hearers[heard.trigger]:
            choice = machine.choose(heard.before, heard.trigger, heard.facts)
            if isinstance(choice, Refusal):
                break
            yield "edge", choice.edge, choice.source
            yield from _passed_over(choice, heard)
    if isinstance(heard.decision, Refused):
        yield from _marks_of_refusal(regions, heard)


def _marks_of_refusal(regions: Regions[Any], heard: Heard[Any]) -> Iterator[Seen]:
    assert isinstance(heard.decision, Refused)
    refusal = heard.decision.refusal
    guards = (*regions.begins.guards, *(g for m in regions.machines for e in m.edges for g in e.guards))
    # By identity: the answer of a guard is made once, when the guard is declared, so it tells whose it is.
    if by := [guard for guard in guards if any(answer is refusal for answer in guard.answers.values())]:
        yield from (("guard", guard, refusal.code) for guard in by)
    elif heard.before is None and heard.trigger is not regions.begins.trigger:
        yield "absent", refusal.code
    else:
        yield "wrong", heard.trigger, refusal.code


def _passed_over(step: Step[Any], heard: Heard[Any]) -> Iterator[Seen]:
    for guard in step.edge.unless:
        if refusal := guard.refusal(heard.before, heard.facts):
            yield "guard", guard, refusal.code


def can_be_taken(edge: Edge[Any, Any]) -> bool:
    """Say whether some verdict lets the edge be taken: a guard that can never hold is there for its codes alone."""
    return all(any(answer is None for answer in guard.answers.values()) for guard in edge.guards)
