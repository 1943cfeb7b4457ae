"""The words in which a machine is declared. All are frozen values; none of them decides anything.

A *trigger* comes with facts. An *edge* says where it leads and which record is next, provided that its *guards*
hold. A *refusal* names, by a stable code, the fact that stood against it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar, overload

from attrs import evolve, field, frozen

R = TypeVar("R")
"""The record that a machine speaks about, always as a whole."""
S = TypeVar("S", bound=StrEnum)
"""The states of one machine."""
F = TypeVar("F")
"""The facts of one trigger."""
V = TypeVar("V", bound=StrEnum)
"""The verdicts that one guard may come to."""
R_contra = TypeVar("R_contra", contravariant=True)
F_contra = TypeVar("F_contra", contravariant=True)


class DeclarationError(Exception):
    """A declaration contradicts itself: raised at import, or by the first decision to show it."""

    def __init__(self, name: str, faults: Iterable[str]) -> None:
        """Name every fault, so that mending takes one round."""
        super().__init__(f"{name}: {'; '.join(faults)}")


@frozen(kw_only=True)
class Refusal:
    """Why nothing of what was asked is done. The code is for programs; its sentence stands in the catalogue."""

    code: StrEnum = field(kw_only=False)
    rule: str = ""
    """The rule that stood against it: for logs and for the State screen."""
    found: StrEnum | None = None
    """The verdict of a guard that classifies."""
    detail: str | None = None
    """A word that narrows the code, never replaces it. No absolute path, no text of the operating system."""
    more: Mapping[str, object] = field(factory=dict)
    """Further fields of the answer, such as the kind of the work that is in the way."""

    def with_detail(self, detail: str | None, **more: object) -> Refusal:
        """Narrow the refusal by what only the caller knows."""
        return evolve(self, detail=detail, more={**self.more, **more})


@frozen
class Effect:
    """Something to perform once the record that promises it is durable. A value, not a callable."""


@frozen(eq=False)
class Trigger(Generic[F]):
    """A command or an event, and the type of the facts gathered for it. Known by identity."""

    name: str
    facts: type[F]


@frozen(eq=False)
class Guard(Generic[R_contra, F_contra]):
    """A rule about record and facts, and the answer to each verdict. Made by `guard`."""

    name: str
    rule: str
    check: Callable[[R_contra, F_contra], StrEnum | bool]
    answers: Mapping[StrEnum | bool, Refusal | None] = field(repr=False)

    def refusal(self, record: R_contra, facts: F_contra) -> Refusal | None:
        """Say what stands against the rule; `None` when it holds."""
        return self.answers[self.check(record, facts)]

    @property
    def codes(self) -> tuple[StrEnum, ...]:
        """The codes that this guard may give, in declared order."""
        return tuple(dict.fromkeys(answer.code for answer in self.answers.values() if answer))


HOLDS: Final = None
"""The answer to a verdict that stands against nothing."""


@overload
def guard(answers: StrEnum, /) -> Callable[[Callable[[R, F], bool]], Guard[R, F]]: ...
@overload
def guard(answers: Mapping[V, StrEnum | None], /) -> Callable[[Callable[[R, F], V]], Guard[R, F]]: ...
def guard(answers: StrEnum | Mapping[V, StrEnum | None], /) -> Callable[[Callable[[R, F], Any]], Guard[R, F]]:
    """Turn a function into a guard. Its docstring is the rule: one positive sentence.

    `@guard(CODE)` takes a yes-or-no function. `@guard({VERDICT: CODE, OTHER: HOLDS})` takes one that classifies, so
    that "no" and "could not find out" have codes of their own. The mapping names every verdict: one that the enum
    gains later must not hold by oversight.
    """

    def declare(check: Callable[[R, F], Any]) -> Guard[R, F]:
        name, rule = check.__name__, " ".join((inspect.getdoc(check) or "").split("\n"))
        if not rule.endswith("."):
            raise DeclarationError(name, ["the docstring of a guard is its rule, one sentence"])
        if isinstance(answers, StrEnum):
            return Guard(name, rule, check, {True: HOLDS, False: Refusal(answers, rule=rule)})
        kinds = {type(verdict) for verdict in answers}
        if len(kinds) != 1:
            raise DeclarationError(name, ["a guard answers the verdicts of one enum"])
        (verdicts,) = kinds
        if forgotten := [verdict for verdict in verdicts if verdict not in answers]:
            raise DeclarationError(name, [f"no answer to {verdict}" for verdict in forgotten])
        if not any(answers.values()):
            raise DeclarationError(name, ["a guard that refuses nothing is none"])
        refusals: dict[StrEnum | bool, Refusal | None] = {
            verdict: Refusal(code, rule=rule, found=verdict) if code else HOLDS for verdict, code in answers.items()
        }
        return Guard(name, rule, check, refusals)

    return declare


def stays(record: R, _facts: object) -> R:
    """Leave the record as it is."""
    return record


def nothing(_record: object, _facts: object) -> tuple[Effect, ...]:
    """Promise no effect."""
    return ()


@frozen(init=False, eq=False)
class Edge(Generic[R, S]):
    """From any of `sources` to `target`, if every guard holds and every rule of `unless` fails.

    Guards and `effects` see the record as it was; `assigns` gives the next one, whole. An edge with `answers` is a
    refusal that moves: its record is committed, and the code is what is heard.
    """

    trigger: Trigger[Any]
    sources: tuple[S, ...]
    target: S
    guards: tuple[Guard[R, Any], ...]
    unless: tuple[Guard[R, Any], ...]
    assigns: Callable[[R, Any], R]
    effects: Callable[[R, Any], tuple[Effect, ...]]
    answers: Refusal | None

    def __init__(  # noqa: PLR0913  # these are the columns of the matrix
        self,
        trigger: Trigger[F],
        source: S | tuple[S, ...],
        target: S,
        *,
        guards: tuple[Guard[R, F], ...] = (),
        unless: tuple[Guard[R, F], ...] = (),
        assigns: Callable[[R, F], R] = stays,
        effects: Callable[[R, F], tuple[Effect, ...]] = nothing,
        answers: StrEnum | None = None,
    ) -> None:
        """Tie trigger, guards, assigns and effects together by the type of their facts.

        That type is checked here and then forgotten, which is why this is written by hand: the edges of many
        triggers have to fit into one tuple.
        """
        sources = source if isinstance(source, tuple) else (source,)
        refusal = Refusal(answers, rule=" ".join(rule.rule for rule in unless)) if answers else None
        self.__attrs_init__(trigger, sources, target, guards, unless, assigns, effects, refusal)


Otherwise = Mapping[Trigger[Any], StrEnum | Mapping[Any, StrEnum]]


@frozen(eq=False, kw_only=True)
class Declaration(Generic[R, S]):
    """All that is said about one machine over one slot of a record."""

    name: str
    states: type[S]
    reads: Callable[[R], S]
    """The state is not kept beside the record but read from it, so the two cannot disagree."""
    writes: Callable[[R, S], R] = stays
    """Puts the target into the slot, after `assigns`. A state that is derived needs none."""
    initial: tuple[S, ...]
    final: tuple[S, ...] = ()
    codes: type[StrEnum]
    """The vocabulary of refusals: nothing below answers a code from outside it."""
    edges: tuple[Edge[R, S], ...]
    """Tried in this order. If none fits, the first guard that failed names the refusal: the order of edges and
    guards *is* the order of checks in the specification."""
    otherwise: Otherwise
    """What a trigger answers in the states in which it has no edge: one code, or one a state."""

    @property
    def triggers(self) -> tuple[Trigger[Any], ...]:
        """The triggers that have an edge, as they first appear."""
        return tuple(dict.fromkeys(edge.trigger for edge in self.edges))

    def cells(self) -> Iterator[tuple[Trigger[Any], S, tuple[Edge[R, S], ...]]]:
        """Walk the matrix: the edges that each trigger may take in each state, as tried."""
        for trigger in self.triggers:
            for state in self.states:
                edges = (e for e in self.edges if e.trigger is trigger and state in e.sources)
                yield trigger, state, tuple(edges)

    def otherwise_of(self, trigger: Trigger[Any], state: S) -> StrEnum | None:
        """Give the code that is declared for `trigger` in `state`, if there is one."""
        declared = self.otherwise.get(trigger)
        return declared.get(state) if isinstance(declared, Mapping) else declared
