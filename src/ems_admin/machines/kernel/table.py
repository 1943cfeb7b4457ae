"""A classification: columns of enums, rows, first match wins. Proven total at import."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import StrEnum
from itertools import product
from typing import Generic, TypeVar

import attrs
from attrs import field, frozen

from ems_admin.machines.kernel.declaration import DeclarationError

Q = TypeVar("Q", bound=attrs.AttrsInstance)
"""The question: a frozen value whose fields, all enums, are the columns."""
A = TypeVar("A", bound=StrEnum)
"""The answers."""


@frozen(eq=False)
class Row(Generic[A]):
    """One answer, and the columns that matter to it. A column that is not named holds anything."""

    answer: A
    cells: Mapping[str, AbstractSet[StrEnum]]

    def fits(self, question: object) -> bool:
        """Say whether every named column holds one of its members."""
        return all(getattr(question, column) in cell for column, cell in self.cells.items())


def row(answer: A, /, **cells: StrEnum | AbstractSet[StrEnum]) -> Row[A]:
    """Read as: the answer is this, when the columns hold that."""
    # A StrEnum is a string, and thereby a collection of letters: it is told apart by type.
    return Row(answer, {c: {x} if isinstance(x, StrEnum) else x for c, x in cells.items()})


@frozen(eq=False, kw_only=True)
class Table(Generic[Q, A]):
    """A total function, worked out for every possible question when it is declared."""

    name: str
    asks: type[Q]
    rows: tuple[Row[A], ...]
    columns: Mapping[str, type[StrEnum]] = field(init=False, repr=False)
    _answers: Mapping[Q, A] = field(init=False, repr=False)

    @columns.default
    def _read_columns(self) -> Mapping[str, type[StrEnum]]:
        columns = {column.name: column.type for column in attrs.fields(attrs.resolve_types(self.asks))}
        if faults := [f"{name} is no column of an enum" for name, kind in columns.items() if not _is_enum(kind)]:
            raise DeclarationError(self.name, faults)
        return {name: kind for name, kind in columns.items() if kind}

    @_answers.default
    def _answer_every_question(self) -> Mapping[Q, A]:
        if faults := list(self._misfits()):
            raise DeclarationError(self.name, faults)
        answers: dict[Q, A] = {}
        used: set[Row[A]] = set()
        for members in product(*self.columns.values()):
            question = self.asks(*members)
            fitting = next((row for row in self.rows if row.fits(question)), None)
            if fitting is None:
                faults.append(f"no row for {', '.join(members)}")
            else:
                used.add(fitting)
                answers[question] = fitting.answer
        faults += (f"row {n} is dead" for n, row in enumerate(self.rows, 1) if row not in used)
        if faults:
            raise DeclarationError(self.name, faults)
        return answers

    def classify(self, question: Q) -> A:
        """Give the answer of the first row that fits."""
        return self._answers[question]

    def _misfits(self) -> Iterator[str]:
        if len({type(row.answer) for row in self.rows}) > 1:
            yield "its rows answer with more than one enum"
        for number, row in enumerate(self.rows, 1):
            for column, cell in row.cells.items():
                kind = self.columns.get(column)
                if kind is None or not all(isinstance(member, kind) for member in cell):
                    yield f"row {number} asks for what {column} cannot hold"


def _is_enum(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)
