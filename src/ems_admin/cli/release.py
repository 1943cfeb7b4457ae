"""`ems-admin release`: pack System Builds, list them, check them. For maintainers of an EMS; no site, no lock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ems_admin.cli.exits import Exit
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import CatalogueEntry
from ems_admin.machines.refusals import sentence
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.publishing import CheckedBuild, Publishing

T = TypeVar("T")

CURES = {
    Code.SYSTEM_BUILD_RESOURCES_INVALID: "Mend what is named above, and run the command again.",
    Code.SYSTEM_BUILD_MISMATCH: "What is named above is not what the manifest or the catalogue says: pack it again, or "
    "write the catalogue again.",
    Code.SYSTEM_BUILD_UNAVAILABLE: "Put the archive back, or write the catalogue again.",
    Code.RELEASE_SOURCE_UNREACHABLE: "Remove the catalogue, and write it again.",
}
"""What a maintainer can do; the catalogue of refusals speaks to operators."""

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group()
def release() -> None:
    """Pack System Builds, list them and check them."""


@release.command()
@click.argument("directory", type=FOLDER)
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The archive to write.")
@click.pass_context
def pack(context: click.Context, directory: Path, out: Path) -> None:
    """Pack DIRECTORY: a `system-build.json` without hashes, and the files that it names."""
    build = performed(f"Packing {directory}", lambda: desk(context).pack(directory, out))
    Console().print(checked((build,)))
    click.echo(f"Wrote {out}. Next: ems-admin release catalogue {out.parent}")


@release.command()
@click.argument("directory", type=FOLDER)
@click.pass_context
def catalogue(context: click.Context, directory: Path) -> None:
    """Write `catalogue.json` over the archives in DIRECTORY, each verified first."""
    builds = performed(f"Reading the archives in {directory}", lambda: desk(context).catalogue(directory))
    if builds:
        Console().print(listed(builds))
    click.echo(f"Wrote {directory / 'catalogue.json'}: {len(builds)} System Builds.")


@release.command()
@click.argument("place", type=click.Path(exists=True, path_type=Path))
@click.pass_context
def verify(context: click.Context, place: Path) -> None:
    """Check PLACE: an archive, an unpacked build, or a folder with a catalogue."""
    builds = performed(f"Verifying {place}", lambda: desk(context).verify(place))
    Console().print(checked(builds))
    click.echo("Limits and hashes hold.")


def desk(context: click.Context) -> Publishing:
    """Find who packs and verifies; the composition put it into the context."""
    found: Publishing | None = context.find_object(Publishing)  # type: ignore[type-abstract]
    if found is None:
        raise RuntimeError("the command line was composed without `Publishing`")
    return found


def performed(what: str, act: Callable[[], T | BuildFailure]) -> T:
    """Say what is being done, do it, and end the command where it is refused."""
    click.echo(f"{what} …", err=True)
    try:
        answer = act()
    except OSError as error:
        click.echo(f"{error.filename or what}: {error.strerror}", err=True)
        sys.exit(Exit.OTHER)
    if isinstance(answer, BuildFailure):
        refused(answer)
    return answer


def refused(failure: BuildFailure) -> NoReturn:
    """Print code, place and cure, and end with the exit code of a refusal."""
    console = Console(stderr=True)
    console.print(Text.assemble(("Refused: ", "bold"), (failure.code, "bold yellow")))
    if failure.detail:
        console.print(Text(f"  {failure.detail}"))
    console.print(Text(f"  {CURES.get(failure.code) or sentence(failure.code).message}"))
    sys.exit(Exit.REFUSED)


def checked(builds: tuple[CheckedBuild, ...]) -> Table:
    """Show builds that were checked."""
    table = Table("tag", "build", "files", "size", "SHA-256", box=None, header_style="dim", pad_edge=False)
    for build in builds:
        size = "" if build.bytes is None else f"{build.bytes / 1024:.0f} KiB"
        table.add_row(Text(build.system_tag, "bold"), build.build_id, str(build.files), size, (build.sha256 or "")[:16])
    return table


def listed(builds: tuple[CatalogueEntry, ...]) -> Table:
    """Show a catalogue, newest first."""
    table = Table("tag", "channel", "build", "released", "archive", box=None, header_style="dim", pad_edge=False)
    for build in builds:
        released = f"{build.released_at:%Y-%m-%d %H:%M}"
        table.add_row(Text(build.tag, "bold"), build.channel, build.build_id, released, build.archive.path)
    return table
