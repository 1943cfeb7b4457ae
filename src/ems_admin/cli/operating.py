"""What the command line asks the composition to do with a site: the one thing that it cannot do itself.

The commands parse and print; who opens, serves and looks is put into click's context by the entry point.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar, runtime_checkable

import click
from attrs import frozen
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from ems_admin.cli.exits import Exit
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.recovery import Mode
from ems_admin.machines.refusals import sentence
from ems_admin.workflows.ports.records import RefusalError

T = TypeVar("T")

UNPROVABLE = frozenset(
    {
        Code.STATE_COMMIT_UNPROVABLE,
        Code.CONFIG_COMMIT_UNPROVABLE,
        Code.TRANSITION_COMMIT_UNPROVABLE,
        Code.TRANSITION_STAGE_COMMIT_UNPROVABLE,
    }
)


@frozen(kw_only=True)
class Place:
    """Which site is meant."""

    install_root: Path
    data_dir: Path | None = None
    engine: str = "native"
    """What runs its EMS."""

    @property
    def admin_data(self) -> Path:
        """Where the Admin keeps its own data."""
        return self.data_dir or self.install_root / "admin"


@frozen(kw_only=True)
class ServeOrder:
    """How a site is to be served."""

    place: Place
    listen: str
    catalogue: str | None
    certificate: tuple[Path, Path] | None
    trusted_origins: tuple[str, ...]


@frozen(kw_only=True)
class DemoOrder:
    """How the demo is to be served."""

    root: Path
    listen: str


@frozen(kw_only=True)
class UpdaterOrder:
    """Which replacement of the Admin is to be walked to its end; `which` is operation and attempt, or the open one."""

    place: Place
    which: tuple[str, int] | None
    local: bool


@frozen(kw_only=True)
class RecoverOrder:
    """How a site is to be recovered."""

    place: Place
    mode: Mode
    fingerprint: str | None
    confirm: bool
    reason: str | None = None


class Announce(Protocol):
    """What is told once the server accepts."""

    def __call__(self, url: str, code: str | None) -> None:
        """Tell the address, and the one-time code while no password exists."""
        ...


@runtime_checkable
class Operating(Protocol):
    """What is done with a site. All of it raises `RefusalError` for a refusal, `ClickException` for anything else."""

    def serve(self, order: ServeOrder, announce: Announce) -> None:
        """Serve until somebody asks for the end."""
        ...

    def demo(self, order: DemoOrder, announce: Announce) -> None:
        """Pack the builds, serve the demo site, and stop at the end what it started."""
        ...

    def update(self, order: UpdaterOrder) -> int:
        """Walk the replacement of an Admin to its end; give the exit code."""
        ...

    def look(self, place: Place) -> Mapping[str, Any]:
        """Read a site as JSON, without server and without lock."""
        ...

    def preview_recovery(self, place: Place) -> Mapping[str, Any]:
        """Say as JSON what recovery could do, without server and without lock."""
        ...

    def recover(self, order: RecoverOrder) -> Mapping[str, Any]:
        """Recover under the site lock, and give what was done as JSON."""
        ...

    def reset_password(self, place: Place) -> str | None:
        """Set the password file aside; give its new name, `None` when there was none."""
        ...


def operating(context: click.Context) -> Operating:
    """Find who does it; the composition put it into the context."""
    found: Operating | None = context.find_object(Operating)  # type: ignore[type-abstract]
    if found is None:
        raise RuntimeError("the command line was composed without `Operating`")
    return found


def carried_out(act: Callable[[], T]) -> T:
    """Do it, and end the command with the code of a refusal."""
    try:
        return act()
    except RefusalError as refused:
        refuse(refused.refusal)


def refuse(refusal: Refusal) -> NoReturn:
    """Print code, facts and sentence, and end."""
    code = Code(refusal.code)
    console = Console(stderr=True, highlight=False)
    console.print(Text.assemble(("Refused: ", "bold"), (code, "bold yellow")))
    if refusal.detail:
        console.print(Text(f"  {refusal.detail}"))
    for name, value in refusal.more.items():
        if value is not None:
            console.print(Text(f"  {name}: {value}"), soft_wrap=True)
    console.print(Padding(sentence(code).message, (0, 0, 0, 2)))
    sys.exit(Exit.UNPROVABLE if code in UNPROVABLE else Exit.REFUSED)


def announce(url: str, code: str | None) -> None:
    """Print the one address, and the code for whoever is not at this machine."""
    click.echo(f"EMS Admin: {url}")
    if code is not None:
        click.echo(f"One-time code for the first password, asked for from another machine: {code}")
    sys.stdout.flush()


INSTALL_ROOT = click.option(
    "--install-root",
    required=True,
    envvar="EMS_ADMIN_INSTALL_ROOT",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the EMS lives.",
)
ENGINE = click.option(
    "--engine",
    type=click.Choice(("native", "docker")),
    default="native",
    show_default=True,
    envvar="EMS_ADMIN_ENGINE",
    help="What runs the EMS.",
)
DATA_DIR = click.option(
    "--data-dir",
    envvar="EMS_ADMIN_DATA_DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the Admin keeps its own data; without it, `admin` in the install root.",
)


def of_a_site(command: Callable[..., T]) -> Callable[..., T]:
    """Give a command the options that say which site is meant, as its one parameter `place`."""

    @INSTALL_ROOT
    @DATA_DIR
    @ENGINE
    @wraps(command)
    def told(*args: Any, install_root: Path, data_dir: Path | None, engine: str, **rest: Any) -> T:
        place = Place(install_root=install_root, data_dir=data_dir, engine=engine)
        return command(*args, place=place, **rest)

    return told
