"""Decide one step of a declared machine: record, trigger and facts in, a decision out.

Total, synchronous and deterministic: no clock, no file, no randomness, no await. `transitions` picks the edge. It is
imported here only, and sees nothing but a throw-away attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeAlias

from attrs import define, field, frozen
from transitions import Event, EventData
from transitions import Machine as Engine

from ems_admin.machines.kernel import soundness
from ems_admin.machines.kernel.declaration import Declaration, DeclarationError, Edge, Effect, F, Guard, R, Refusal, S
from ems_admin.machines.kernel.declaration import Trigger as Trigger  # noqa: PLC0414  # part of the signature


@frozen
class Step(Generic[R]):
    """One edge that one machine took. What the journal tells, and what the tests count."""

    machine: Machine[R, Any]
    edge: Edge[R, Any]
    source: Any
    """The state that the machine was in: an edge may have several sources."""


@frozen
class Accepted(Generic[R]):
    """Commit `record`; once that is proved durable, perform `effects`.

    What comes of an effect returns as a trigger, never as a write to the record.
    """

    record: R
    effects: tuple[Effect, ...]
    steps: tuple[Step[R], ...]


@frozen
class Answered(Generic[R]):
    """A refusal that moves: commit and perform as above, then answer `refusal` all the same."""

    record: R
    effects: tuple[Effect, ...]
    steps: tuple[Step[R], ...]
    refusal: Refusal


@frozen
class Refused:
    """Answer `refusal`. Nothing changes, ever."""

    refusal: Refusal


Decision: TypeAlias = Accepted[R] | Answered[R] | Refused


@frozen(eq=False, kw_only=True)
class Machine(Declaration[R, S]):
    """A declaration that decides. A module constant: an unsound one fails at import."""

    _wrong_state: Mapping[tuple[Trigger[Any], S], Refusal] = field(init=False, repr=False)
    _engine: Engine = field(init=False, repr=False)
    _events: Mapping[Trigger[Any], Event] = field(init=False, repr=False)
    """By the trigger itself: another one of the same name comes with other facts."""

    @_wrong_state.default
    def _check_and_name_wrong_states(self) -> Mapping[tuple[Trigger[Any], S], Refusal]:
        soundness.check(self)  # here, because nothing may be derived from an unsound declaration
        return {
            (trigger, state): Refusal(code, rule=f"{trigger.name} has no edge from {state}.")
            for trigger, state, edges in self.cells()
            if (code := self.otherwise_of(trigger, state)) and not edges
        }

    @_engine.default
    def _build_engine(self) -> Engine:
        # No model: `transitions` then hangs methods on nothing and keeps nothing alive. No auto transitions: they
        # jump from anywhere to anywhere. No queue: it always answers True.
        engine = Engine(
            model=None,
            states=list(self.states),
            initial=self.initial[0],
            auto_transitions=False,
            send_event=True,
        )
        for edge in self.edges:
            engine.add_transition(
                edge.trigger.name,
                list(edge.sources),
                edge.target,
                conditions=[_holds(guard) for guard in edge.guards],
                unless=[_holds(guard) for guard in edge.unless],
                before=_take(edge),
            )
        return engine

    @_events.default
    def _find_events(self) -> Mapping[Trigger[Any], Event]:
        return {trigger: self._engine.events[trigger.name] for trigger in self.triggers}

    def decide(self, record: R, trigger: Trigger[F], facts: F) -> Decision[R]:
        """Say what `trigger` does to `record`, without doing it."""
        choice = self.choose(record, trigger, facts)
        if isinstance(choice, Refusal):
            return Refused(choice)
        return settle(record, facts, (choice,), (self,))

    def choose(self, record: R, trigger: Trigger[F], facts: F) -> Step[R] | Refusal:
        """Pick the edge that `trigger` takes, or name what stands against it.

        A trigger that the machine does not declare is a mistake in the program: `KeyError`.
        """
        state = self.reads(record)
        if wrong_state := self._wrong_state.get((trigger, state)):
            return wrong_state
        attempt = _Attempt[R, S](state, record, facts)
        self._events[trigger].trigger(attempt)
        if attempt.edge:
            return Step(self, attempt.edge, state)
        if attempt.refusal is None:
            raise DeclarationError(self.name, [f"{trigger.name} was refused without a code"])
        return attempt.refusal


def settle(
    record: R,
    facts: object,
    steps: tuple[Step[R], ...],
    machines: tuple[Machine[R, Any], ...],
) -> Accepted[R] | Answered[R]:
    """Let the edges taken assign the next record, and prove that it reads as they promised.

    On every decision, not in tests alone: an `assigns` that reaches into a foreign slot, or misses its own, would
    write a state to which no edge leads.
    """
    following = record
    for step in steps:
        following = step.edge.assigns(following, facts)
        if step.machine.reads(following) is not step.edge.target:
            # Only then: an edge that changes nothing gives the very same record back, and costs no commit.
            following = step.machine.writes(following, step.edge.target)
    targets = {step.machine: step.edge.target for step in steps}
    for machine in machines:
        promised = targets[machine] if machine in targets else machine.reads(record)
        if (assigned := machine.reads(following)) is not promised:
            raise DeclarationError(machine.name, [f"{promised} is due, {assigned} was assigned"])
    effects = tuple(effect for step in steps for effect in step.edge.effects(record, facts))
    answer = next((step.edge.answers for step in steps if step.edge.answers), None)
    return Answered(following, effects, steps, answer) if answer else Accepted(following, effects, steps)


@define
class _Attempt(Generic[R, S]):
    """One choice under way. Mutable, because `transitions` moves its state."""

    state: S
    record: R
    facts: Any
    edge: Edge[R, S] | None = None
    refusal: Refusal | None = None


def _holds(guard: Guard[Any, Any]) -> Callable[[EventData], bool]:
    def condition(event: EventData) -> bool:
        attempt: Any = event.model
        refusal = guard.refusal(attempt.record, attempt.facts)
        # Edges are tried in order: the first refusal ever noted is the one that is specified.
        attempt.refusal = attempt.refusal or refusal
        return refusal is None

    return condition


def _take(edge: Edge[Any, Any]) -> Callable[[EventData], None]:
    def before(event: EventData) -> None:
        attempt: Any = event.model
        attempt.edge = edge

    return before
