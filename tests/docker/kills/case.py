"""One case as a value: what happens to whom at which point, and how it has to end.

Source: `replacement.md` 7; `faults.md` F19 to F37.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Outcome, WalkStep
from ems_admin.machines.records.transition import Stage

if TYPE_CHECKING:
    from tests.docker.kills.playing import Play


FOR_EVER: Final = 1000
"""Times that a fuse burns which never stops."""


class Role(StrEnum):
    """Which process a fuse is meant for."""

    ADMIN = "admin"
    UPDATER = "updater"


class Does(StrEnum):
    """What a fuse does at its point."""

    KILL = "kill"
    """The process is gone, as by SIGKILL."""
    HOLD = "hold"
    """It stands still until it is let go: whatever happens meanwhile happens exactly there."""


class Back(StrEnum):
    """Who started the first Admin after it had happened."""

    NOBODY = "nobody had to"
    ENGINE = "the engine, by its policy"
    UPDATER = "the updater"
    OPERATOR = "an operator"


class Which(StrEnum):
    """Which Admin runs in the end."""

    NEW = "new"
    OLD = "old"


@frozen(kw_only=True)
class Point:
    """One point of a process, in the words of the fuse in the lab's images."""

    title: str
    role: Role
    at: str
    """`{name}` stands for the name of the Admin's container."""


@frozen(kw_only=True)
class Ends:
    """How a case comes to rest: what is asked of the daemon, of the records and over HTTP."""

    admin: Which
    """The only one that runs, at the old address and under the old name."""
    back: Back
    stage: Stage = Stage.ADMIN_RECONNECT_PENDING
    code: Code | None = None
    """In B1."""
    attempts: int = 1
    outcome: Outcome | None = Outcome.LAUNCHED
    """Of the last attempt."""
    exit_noted: bool = False
    """Whether exit code and last words of the updater are in the dispatch record: the Admin that ends it notes them."""
    walk: WalkStep | None = WalkStep.ENDED
    """`None`: no updater has noted anything."""
    entries: int | None = 1
    """How often the updater has entered its walk."""


Act: TypeAlias = Callable[["Play"], None]
"""What the world does to a site, what an operator does on its page, or what has to be seen before that."""


@frozen(kw_only=True)
class Case:
    """One case."""

    title: str
    """What happens, and when."""
    who: str
    """Who dies of it, or what is lost."""
    ends: Ends
    target: str = "newer"
    """The lab's build that the operation leads to."""
    point: Point | None = None
    does: Does = Does.KILL
    further: tuple[Point, ...] = ()
    """Where the processes after it are killed, one after the other."""
    burns: int = 1
    """In how many processes one after the other the fuse burns."""
    before: tuple[Act, ...] = ()
    """Done while the site is laid out, and nothing runs."""
    there: tuple[Act, ...] = ()
    """Done when the point is reached; whoever is held there is let go after it."""
    then: tuple[Act, ...] = ()
    """Seen and done afterwards, in this order, before the site comes to rest."""
    soon: bool = False
    """Whether B1 has to tell of it within 30 s: nothing has been touched yet."""
    quick: bool = True
    """Whether somebody has to answer again within 120 s; otherwise the Admin is kept down, or killed anew."""


class Cut(StrEnum):
    """What happens to the engine, once every case of a group has come to its point."""

    STOPPED = "stopped"
    """It is stopped as a service manager does, and started."""
    POWER = "power"
    """Engine, shims and containers are gone in one instant; the engine is started."""


@frozen(kw_only=True)
class Group:
    """Cases that may meet on one engine."""

    title: str
    cases: tuple[Case, ...]
    cut: Cut | None = None


def old(code: Code, **more: object) -> Ends:
    """Say that the old Admin runs, and B1 says why."""
    words: dict[str, object] = {"back": Back.UPDATER, "stage": Stage.FAILED_RECOVERABLE, **more}
    return Ends(admin=Which.OLD, code=code, **words)  # type: ignore[arg-type]  # the words of Ends


def new(**more: object) -> Ends:
    """Say that the new Admin runs."""
    words: dict[str, object] = {"back": Back.UPDATER, **more}
    return Ends(admin=Which.NEW, **words)  # type: ignore[arg-type]  # the words of Ends
