"""The host of a site in memory: what its engine keeps, and what it does when a process dies or the host starts anew.

Containers survive every Admin. The restart policy is that of Docker: `unless-stopped`, or none.
"""

from __future__ import annotations

from enum import StrEnum

from attrs import astuple, define, evolve, field, frozen

from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.replacement import Silence

ADMIN_NAME = "ems-admin"
OLD_IMAGE = "b" * 64
KILLED = 137


class Kind(StrEnum):
    ADMIN = "admin"
    UPDATER = "updater"
    ENTRANCE = "entrance"
    """Natively: whoever starts the site finishes an open walk before it serves."""
    STRANGER = "stranger"


class Doing(StrEnum):
    CREATED = "created"
    RUNNING = "running"
    EXITED = "exited"


@define(kw_only=True)
class Container:
    """One container. Mutable: the engine changes it."""

    id: str
    name: str
    kind: Kind
    image: str
    doing: Doing = Doing.CREATED
    restarts_by_itself: bool = True
    stopped_by_hand: bool = False
    restarts: int = 0
    exit_code: int | None = None
    operation_id: str = ""
    attempt: int = 0
    predecessor: str = ""
    """Labels of an updater."""
    started_for: str = ""
    """The environment of a new Admin."""
    lives: bool = True
    """Otherwise it ends as soon as it is started."""
    whole: bool = True
    """Otherwise it runs and is not healthy."""

    @property
    def runs(self) -> bool:
        return self.doing is Doing.RUNNING


@frozen(kw_only=True)
class Trouble:
    """What the engine answers to one act, and whether it acts all the same."""

    answer: EngineFailure | Silence
    lands: bool = False


def one_admin() -> dict[str, Container]:
    admin = Container(id="o", name=ADMIN_NAME, kind=Kind.ADMIN, image=OLD_IMAGE, doing=Doing.RUNNING)
    return {admin.id: admin}


@define(kw_only=True)
class Host:
    """Mutable: that is what it is for."""

    containers: dict[str, Container] = field(factory=one_admin)
    pin: str = OLD_IMAGE
    """Which Admin the next start from outside would take: `.env.admin`."""
    silent: bool = False
    """The engine gives no answer to anything."""
    troubles: dict[str, list[Trouble]] = field(factory=dict)
    """By act, each met once."""
    successor_lives: bool = True
    successor_is_whole: bool = True
    boots: int = 1
    native: bool = False
    """Programs and a pointer in the place of containers: nothing starts anything by itself."""

    def copy(self) -> Host:
        """Give a host that may go another way from here."""
        containers = {name: evolve(container) for name, container in self.containers.items()}
        return evolve(self, containers=containers, troubles={act: list(met) for act, met in self.troubles.items()})

    def picture(self) -> tuple[object, ...]:
        """Give all that the engine keeps, to be compared."""
        return (self.pin, *(astuple(container) for container in self.containers.values()))

    def trouble(self, act: str) -> Trouble | None:
        """Give what the next act of this name meets."""
        met = self.troubles.get(act)
        return Trouble(answer=Silence()) if self.silent else met.pop(0) if met else None

    def named(self, name: str) -> Container | None:
        """Find who bears a name."""
        return next((found for found in self.containers.values() if found.name == name), None)

    def admins_that_run(self) -> tuple[Container, ...]:
        return tuple(found for found in self.containers.values() if found.kind is Kind.ADMIN and found.runs)

    def updaters(self, operation_id: str | None = None) -> tuple[Container, ...]:
        return tuple(
            found
            for found in self.containers.values()
            if found.kind in {Kind.UPDATER, Kind.ENTRANCE} and operation_id in {None, found.operation_id}
        )

    def successor(self, started_for: str) -> Container | None:
        """Find the Admin that was created for one attempt."""
        return next((found for found in self.containers.values() if found.started_for == started_for), None)

    def start(self, container: Container) -> bool:
        """Start it; an Admin needs the one port of the site for itself."""
        if container.runs:
            return True
        if container.kind is Kind.ADMIN and self.admins_that_run():
            return False
        container.doing = Doing.RUNNING if container.lives else Doing.EXITED
        container.exit_code = None if container.lives else 3
        container.stopped_by_hand = False
        return container.lives

    def stop(self, container: Container) -> None:
        """Stop it by hand: nothing but a hand starts it again."""
        if container.runs:
            container.doing, container.exit_code = Doing.EXITED, 0
        container.stopped_by_hand = True

    def ended(self, container: Container, exit_code: int) -> None:
        """Note that its process is gone; the engine starts it again if its policy says so."""
        container.doing, container.exit_code = Doing.EXITED, exit_code
        if container.restarts_by_itself:
            container.restarts += 1
            container.doing = Doing.RUNNING

    def reboot(self) -> None:
        """Everything stops; what has a policy, and was not stopped by hand, starts again."""
        self.boots += 1
        ran = [found for found in self.containers.values() if found.runs]
        for container in ran:
            container.doing, container.exit_code = Doing.EXITED, KILLED
        for container in ran:
            if container.restarts_by_itself:
                self.start(container)
