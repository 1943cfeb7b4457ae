"""Which codes the program has produced in this run, each at the moment at which it decided to say it.

Listened to is what carries a code out of a decision, out of an adapter or into a view. The maker must be the program:
what a test made by itself does not count, nor what the program only hands on after a test has handed it in. A
declaration says nothing either: what is made while a module is loaded stands ready and may never be said.
Source: `http.md` 5.6.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final

import attrs

from ems_admin.builds.refused import BuildRefusedError
from ems_admin.machines.alignment.facts import FailureFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Answered, Refusal, Refused, Table, machine, regions
from ems_admin.machines.records.replacement import Attempt, Run
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement.walk import RefusedFacts, WalkFailureFacts
from ems_admin.machines.replacement_dispatch import LaunchFailedFacts
from ems_admin.machines.setup.cleanup_plan import KEPT
from ems_admin.machines.workflow_lifecycle import Lifecycle
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.house import Warnings
from ems_admin.workflows.lifecycle.offering import StaleRecord
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import EngineFailure, EngineStatus
from ems_admin.workflows.ports.files import DirectoryVerdict
from ems_admin.workflows.ports.records import NotCommitted, RefusalError, Unprovable
from ems_admin.workflows.ports.services import NotSeen
from ems_admin.workflows.setup.releases import Offer
from ems_admin.workflows.setup.validate import TerminalError
from ems_admin.workflows.views.console import Warning as Warned
from tests.codes_later import LATER

HEARD: Final[set[str]] = set()
HANDED_IN: Final[set[str]] = set()
"""What the running test has made itself and may have handed to the program."""

CARRIERS: Final[dict[type, Callable[[Any], object]]] = {
    Refusal: lambda said: said.code,
    Refused: lambda said: said.refusal.code,
    Answered: lambda said: said.refusal.code,
    RefusalError: lambda said: said.refusal.code,
    BuildRefusedError: lambda said: said.code,
    BuildFailure: lambda said: said.code,
    EngineFailure: lambda said: said.code,
    EngineStatus: lambda said: said.code,
    NotSeen: lambda said: said.code,
    NotCommitted: lambda said: said.code,
    Unprovable: lambda said: said.code,
    DirectoryVerdict: lambda said: said.code,
    FailureFacts: lambda said: said.code,
    LaunchFailedFacts: lambda said: said.code,
    RefusedFacts: lambda said: said.code,
    WalkFailureFacts: lambda said: said.code,
    ValidationEntry: lambda said: said.code,
    TerminalError: lambda said: said.code,
    AlignmentStatus: lambda said: said.error,
    Lifecycle: lambda said: said.blocking_reason,
    StaleRecord: lambda said: said.reason,
    Offer: lambda said: said.reason,
    Warned: lambda said: said.code,
}
RECORDS: Final[dict[type, Callable[[Any], object]]] = {
    Transition: lambda record: record.error_code,
    Attempt: lambda record: record.code,
    Run: lambda record: record.code,
}
"""What a test may find lying there because it has put it there."""
COMPARED: Final = frozenset({Refusal, Refused, Answered})
"""What a test makes to compare it with an answer, and never hands in."""
TABLES: Final = frozenset({KEPT})
"""Tables whose verdict itself is shown."""
EDGES: Final = ("ems_admin.stores", "ems_admin.builds", "ems_admin.docker", "ems_admin.native", "ems_admin.http")
"""Rooms that speak first: into them a test hands no code."""
RECORDED_AS: Final = frozenset({"code", "error_code"})


def listen() -> None:
    """Listen from now on."""
    for carrier, code in CARRIERS.items():
        carrier.__init__ = _heard(carrier, code)  # type: ignore[misc]
    for record, code in RECORDS.items():
        record.__init__ = _put_there(record.__init__, code)  # type: ignore[misc]
    Warnings.show = _shown(Warnings.show)  # type: ignore[method-assign]
    Table.classify = _classified(Table.classify)  # type: ignore[method-assign]
    machine.settle = regions.settle = _settled(machine.settle)  # type: ignore[attr-defined]


def forget_what_was_handed_in() -> None:
    """Begin with the next test."""
    HANDED_IN.clear()


def said_elsewhere(word: str) -> str:
    """Hear what a program in another process has answered, and give it back to be compared."""
    if word in set(Code):
        HEARD.add(str(word))  # the word itself, also when a member of the enum was compared
    return word


def missing() -> Iterator[str]:
    """Name every code that nobody produced, and every one that is said to come later and is here."""
    later = {code: part for part, codes in LATER.items() for code in codes}
    for code in Code:
        if code not in HEARD and code not in later:
            yield f"no test makes the program say {code}: produce it, or take it out of the catalogue"
        if code in HEARD and code in later:
            yield f"{code} is produced already, and no longer waits for {later[code]}"


def _heard(carrier: type, code: Callable[[Any], object]) -> Any:
    init: Any = carrier.__init__  # type: ignore[misc]

    def wrapped(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        maker = sys._getframe(1)
        if _is_program(maker):
            _note(code(self), maker)
        elif carrier not in COMPARED and _room(maker).startswith("tests."):
            HANDED_IN.add(str(code(self)))

    return wrapped


def _put_there(init: Any, code: Callable[[Any], object]) -> Any:
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        if (word := code(self)) is not None and _room(_author(sys._getframe(1))).startswith("tests."):
            HANDED_IN.add(str(word))

    return wrapped


def _shown(show: Any) -> Any:
    def wrapped(self: Warnings, code: Code, detail: str | None = None) -> None:
        if _is_program(sys._getframe(1)):
            _note(code, sys._getframe(1))
        show(self, code, detail)

    return wrapped


def _classified(classify: Any) -> Any:
    def wrapped(self: Table[Any, Any], question: Any) -> Any:
        verdict = classify(self, question)
        if self in TABLES and _is_program(sys._getframe(1)):
            _note(verdict, sys._getframe(1))
        return verdict

    return wrapped


def _settled(settle: Any) -> Any:
    """Hear what a machine records by itself: neither did the record hold it, nor did the facts tell it."""

    def wrapped(record: Any, facts: Any, *rest: Any) -> Any:
        decision = settle(record, facts, *rest)
        for code in set(_recorded(decision.record)) - {*_recorded(record), *_recorded(facts)}:
            _note(code, sys._getframe(1))
        return decision

    return wrapped


def _recorded(value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        for each in value:
            yield from _recorded(each)
    elif attrs.has(kind := type(value)):
        for field in attrs.fields(kind):
            inner = getattr(value, field.name)
            if field.name in RECORDED_AS:
                yield str(inner)
            elif isinstance(inner, tuple):
                yield from _recorded(inner)


def _room(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _author(maker: FrameType) -> FrameType:
    """Find who asked for a changed copy."""
    while _room(maker).startswith("attr") and maker.f_back is not None:
        maker = maker.f_back
    return maker


def _is_program(maker: FrameType) -> bool:
    room, within = _room(maker), maker.f_code.co_name
    if not room.startswith("ems_admin."):
        return False
    if room.startswith("ems_admin.machines.kernel."):
        return within in {"decide", "_begin", "settle"}
    return within != "<module>"


def _note(code: object, maker: FrameType) -> None:
    if code is not None and (str(code) not in HANDED_IN or _room(maker).startswith(EDGES)):
        HEARD.add(str(code))
