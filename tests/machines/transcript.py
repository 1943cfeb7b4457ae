"""Replay a transcript: triggers and facts, and what is to come of them.

    given KEY=VALUE …       facts for every step below, until they are given anew
    TRIGGER KEY=VALUE …     one step, with facts of its own on top
      refused CODE          what came of it: refused, answered or accepted;
      now STATE, …          where the machines stand, if there is something to commit,
      sets FIELD, …         what that changes in the record, `updated_at` left aside: it moves with every step,
      then EFFECT           and each effect that it promises

A line that begins with `#` is a remark. Transcripts are written by hand, from the specification: the reader only tells
them anew, and whoever asks compares. How a word is read depends on the type of the fact: `words.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

import attrs
from attrs import frozen

from ems_admin.machines.kernel import Accepted, Answered, Decision, Effect, Machine, Refused, Regions, Trigger
from tests.machines.words import read, spell

R = TypeVar("R", bound=attrs.AttrsInstance)

UNTOLD: Final = frozenset({"updated_at"})
"""What every step changes says nothing about any."""


@frozen
class Heard(Generic[R]):
    """One step of a transcript: the record before it, and what came of it."""

    before: R | None
    trigger: Trigger[Any]
    facts: Any
    decision: Decision[R]


@frozen
class Told(Generic[R]):
    """A transcript, told anew."""

    text: str
    steps: tuple[Heard[R], ...]
    record: R | None
    """What stands at the end of it."""


def replay(subject: Regions[R] | Machine[R, Any], text: str, *, record: R | None = None) -> Told[R]:
    """Tell the transcript anew: it is right if it comes out as it went in.

    `record` is what stands before the first step: `None` for the machines of a stored record, which begins by a
    trigger; the empty value for a machine that has always been there.
    """
    triggers = {trigger.name: trigger for trigger in triggers_of(subject)}
    given: dict[str, str] = {}
    told: list[str] = []
    steps: list[Heard[R]] = []
    for line in text.splitlines():
        if line.startswith("  "):
            continue
        told.append(line)
        match line.split():
            case ["given", *facts]:
                given |= _pairs(facts)
            case [name, *facts] if not name.startswith("#"):
                trigger = triggers[name]
                known = read(trigger.facts, given, _pairs(facts))
                decision = decide(subject, record, trigger, known)
                steps.append(Heard(record, trigger, known, decision))
                told += (f"  {outcome}" for outcome in tell(subject, record, decision))
                record = record if isinstance(decision, Refused) else decision.record
            case _:
                pass  # a remark, or an empty line
    return Told("\n".join([*told, ""]), tuple(steps), record)


def decide(
    subject: Regions[R] | Machine[R, Any], record: R | None, trigger: Trigger[Any], facts: object
) -> Decision[R]:
    """Ask the machines of a record, or the one machine that has no beginning."""
    if isinstance(subject, Regions):
        return subject.decide(record, trigger, facts)
    assert record is not None, f"{subject.name} has no beginning: say what stands first"
    return subject.decide(record, trigger, facts)


def triggers_of(subject: Regions[Any] | Machine[Any, Any]) -> tuple[Trigger[Any], ...]:
    """List what the subject hears, the beginning first."""
    begins = (subject.begins.trigger,) if isinstance(subject, Regions) else ()
    return (*begins, *subject.triggers)


def machines_of(subject: Regions[R] | Machine[R, Any]) -> tuple[Machine[R, Any], ...]:
    """List the machines in the order in which they are asked."""
    return subject.machines if isinstance(subject, Regions) else (subject,)


def tell(subject: Regions[R] | Machine[R, Any], before: R | None, decision: Decision[R]) -> Iterator[str]:
    """Say what a decision comes to, line by line."""
    match decision:
        case Refused(refusal):
            yield f"refused {refusal.code}"
            return
        case Answered(refusal=refusal):
            yield f"answered {refusal.code}"
        case Accepted():
            yield "accepted"
    after = decision.record
    states: list[StrEnum] = [machine.reads(after) for machine in machines_of(subject)]
    yield f"now {', '.join(states)}"
    names = [field.name for field in attrs.fields(type(after)) if field.name not in UNTOLD]
    changed = [name for name in names if before is not None and getattr(before, name) != getattr(after, name)]
    yield from (f"sets {', '.join(changed)}",) if changed else ()
    yield from (f"then {_promise(effect)}" for effect in decision.effects)


def _promise(effect: Effect) -> str:
    fields = attrs.fields(type(effect))
    return " ".join([type(effect).__name__, *(f"{f.name}={spell(getattr(effect, f.name))}" for f in fields)])


def _pairs(facts: Iterable[str]) -> dict[str, str]:
    return dict(fact.split("=", 1) for fact in facts)
