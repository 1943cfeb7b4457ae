"""One record under one or several machines, each over its own slot: one trigger, one decision, one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from itertools import combinations
from typing import Any, Generic

from attrs import field, frozen

from ems_admin.machines.kernel.declaration import DeclarationError, F, Guard, R, Refusal, Trigger
from ems_admin.machines.kernel.machine import Accepted, Decision, Machine, Refused, Step, settle


def always(_record: object) -> bool:
    """Let any record be replaced. Whether this one may is a question of facts: the guards of the beginning ask it."""
    return True


@frozen(init=False, eq=False)
class Beginning(Generic[R]):
    """The initial edge of a record: from nothing, or in place of a predecessor that is over.

    Its guards see the predecessor, or `None`. A record that is still alive answers `otherwise`.
    """

    trigger: Trigger[Any]
    guards: tuple[Guard[R | None, Any], ...]
    creates: Callable[[Any], R]
    otherwise: StrEnum

    def __init__(
        self,
        trigger: Trigger[F],
        *,
        guards: tuple[Guard[R | None, F], ...] = (),
        creates: Callable[[F], R],
        otherwise: StrEnum,
    ) -> None:
        """Check the type of the facts, and forget it, as `Edge` does."""
        self.__attrs_init__(trigger, guards, creates, otherwise)


@frozen(eq=False, kw_only=True)
class Regions(Generic[R]):
    """The machines of one record, as they are asked. The first says when the record is over."""

    name: str
    begins: Beginning[R]
    absent: StrEnum
    """What every other trigger answers while there is no record."""
    machines: tuple[Machine[R, Any], ...]
    replaceable: Callable[[R], bool] | None = None
    """When a living record may be replaced all the same; by default only one whose first machine is final."""
    hearers: Mapping[Trigger[Any], tuple[Machine[R, Any], ...]] = field(init=False, repr=False)

    @hearers.default
    def _check_and_list_hearers(self) -> Mapping[Trigger[Any], tuple[Machine[R, Any], ...]]:
        if faults := list(self._faults()):
            raise DeclarationError(self.name, faults)
        return {t: tuple(machine for machine in self.machines if t in machine.triggers) for t in self.triggers}

    @property
    def triggers(self) -> tuple[Trigger[Any], ...]:
        """The triggers that some machine hears, as they first appear."""
        return tuple(dict.fromkeys(trigger for machine in self.machines for trigger in machine.triggers))

    def decide(self, record: R | None, trigger: Trigger[F], facts: F) -> Decision[R]:
        """Say what `trigger` does to the whole record, without doing it.

        Every machine that hears it judges the record as it was; what they assign adds up. The first refusal wins. So
        does the first edge that answers one: it alone is committed, and what the others would have done is dropped.
        """
        if trigger is self.begins.trigger:
            return self._begin(record, facts)
        if record is None:
            return Refused(Refusal(self.absent, rule=f"There is no {self.name}."))
        steps: list[Step[R]] = []
        for machine in self.hearers[trigger]:
            choice = machine.choose(record, trigger, facts)
            if isinstance(choice, Refusal):
                return Refused(choice)
            if choice.edge.answers:
                return settle(record, facts, (choice,), self.machines)
            steps.append(choice)
        return settle(record, facts, tuple(steps), self.machines)

    def states(self, record: R) -> Mapping[str, StrEnum]:
        """Read every machine's state from the record, by machine name."""
        return {machine.name: machine.reads(record) for machine in self.machines}

    def is_over(self, record: R) -> bool:
        """Say whether the record is final, and so only a new instance may follow."""
        return self.machines[0].reads(record) in self.machines[0].final

    def _begin(self, predecessor: R | None, facts: object) -> Decision[R]:
        if predecessor is not None and not self._gives_way(predecessor):
            return Refused(Refusal(self.begins.otherwise, rule=f"The last {self.name} is not over."))
        for guard in self.begins.guards:
            if refusal := guard.refusal(predecessor, facts):
                return Refused(refusal)
        record = self.begins.creates(facts)
        for machine in self.machines:
            if (state := machine.reads(record)) not in machine.initial:
                raise DeclarationError(machine.name, [f"a record begins as {state}"])
        return Accepted(record, effects=(), steps=())

    def _gives_way(self, predecessor: R) -> bool:
        return self.is_over(predecessor) or (self.replaceable is not None and self.replaceable(predecessor))

    def _faults(self) -> Iterator[str]:
        begins = self.begins
        for first, later in combinations((begins.trigger, *self.triggers), 2):
            if first.name == later.name and first is not later:
                yield f"two triggers are called {first.name}"
        names = [machine.name for machine in self.machines]
        if not names:
            yield f"{self.name} has no machine"
        yield from (f"two machines are called {name}" for name in dict.fromkeys(names) if names.count(name) > 1)
        for machine in self.machines:
            if begins.trigger in machine.triggers:
                yield f"{begins.trigger.name} begins the record, yet {machine.name} hears it"
        vocabularies = tuple(machine.codes for machine in self.machines)
        codes = (code for guard in begins.guards for code in guard.codes)
        for code in (self.absent, begins.otherwise, *codes):
            if not isinstance(code, vocabularies):
                yield f"{self.name} answers {code}, which is not declared"
