"""Which codes the program has produced in this run, each at the moment at which it decided to say it.

Listened to is what carries a code out of a decision or of an adapter. What a test makes by itself does not count: the
maker must be the program. Source: `http.md` 5.6.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

from ems_admin.machines.alignment.facts import FailureFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Answered, Refused
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.replacement.walk import RefusedFacts, WalkFailureFacts
from ems_admin.machines.replacement_dispatch import LaunchFailedFacts
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.house import Warnings
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import EngineFailure, EngineStatus, NotSeen
from ems_admin.workflows.ports.files import DirectoryVerdict
from ems_admin.workflows.ports.records import NotCommitted, RefusalError, Unprovable
from ems_admin.workflows.setup.validate import TerminalError
from ems_admin.workflows.views.console import Warning as Warned

HEARD: Final[set[str]] = set()

LATER: Final[dict[str, frozenset[Code]]] = {}
"""Codes whose part of the program is still to come, by that part. One that is produced all the same is a fault too."""

CARRIERS: Final[dict[type, Callable[[Any], object]]] = {
    Refused: lambda said: said.refusal.code,
    Answered: lambda said: said.refusal.code,
    RefusalError: lambda said: said.refusal.code,
    EngineFailure: lambda said: said.code,
    EngineStatus: lambda said: said.code,
    NotSeen: lambda said: said.code,
    BuildFailure: lambda said: said.code,
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
    Warned: lambda said: said.code,
}


def listen() -> None:
    """Listen from now on."""
    for carrier, code in CARRIERS.items():
        carrier.__init__ = _heard(carrier.__init__, code)  # type: ignore[misc]
    Warnings.show = _shown(Warnings.show)  # type: ignore[method-assign]


def missing() -> Iterator[str]:
    """Name every code that nobody produced, and every one that is said to come later and is here."""
    later = {code: part for part, codes in LATER.items() for code in codes}
    for code in Code:
        if code not in HEARD and code not in later:
            yield f"no test makes the program say {code}: produce it, or take it out of the catalogue"
        if code in HEARD and code in later:
            yield f"{code} is produced already, and no longer waits for {later[code]}"


def _heard(init: Any, code: Callable[[Any], object]) -> Any:
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        if sys._getframe(1).f_globals.get("__name__", "").startswith("ems_admin"):
            _note(code(self))

    return wrapped


def _shown(show: Any) -> Any:
    def wrapped(self: Warnings, code: Code, detail: str | None = None) -> None:
        _note(code)
        show(self, code, detail)

    return wrapped


def _note(code: object) -> None:
    if code is not None:
        HEARD.add(str(code))
