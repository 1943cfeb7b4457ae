"""One site in the foreground of this process: its server, the demo, or the updater that replaces its Admin.

Whoever starts a site runs the program that the site names, once no replacement is open. Source: `site.md` 10;
`replacement.md` 7.8.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from ems_admin import updater
from ems_admin.builds.identity import own_identity
from ems_admin.builds.own_program import is_kept_program
from ems_admin.cli.exits import Exit
from ems_admin.demo.packing import pack_demo_builds
from ems_admin.http.listening import CannotListenError
from ems_admin.http.serving import Serving, asked_to_end, served
from ems_admin.machines.codes import Code
from ems_admin.native.replacement.entrance import execute
from ems_admin.site import CLOSING, Options, Site
from ems_admin.workflows.ports.engine import Activity
from ems_admin.workflows.replacement.updating import WalkEnd

if TYPE_CHECKING:
    from ems_admin.cli.operating import Announce


def serve(options: Options, serving: Serving, announce: Announce) -> None:
    """Serve a site until somebody asks for the end."""
    complaint = _run_the_program_of_the_site(options)
    asyncio.run(_serve(options, serving, announce, complaint=complaint))


def demo(options: Options, builds: Path, serving: Serving, announce: Announce) -> None:
    """Serve the demo site out of the packed `builds`, and stop at the end what it started."""
    complaint = _run_the_program_of_the_site(options)
    # A program that came out of packed builds is the good one of others than these.
    if not (builds.is_dir() and is_kept_program(options.place.programs)):
        _pack(builds)
    options = evolve(options, catalogue=str(builds))
    asyncio.run(_serve(options, serving, announce, complaint=complaint, demo=True))


def update(options: Options, which: tuple[str, int] | None) -> int:
    """Walk a replacement to its end, the named one or the one that was left open; give the exit code."""
    attempt = updater.open_attempt(options.place) if which is None else updater.Attempt(*which)
    lock = updater.take_turn(options.place, attempt) if attempt is not None else None
    if attempt is None or lock is None:
        click.echo("There is nothing to be finished, or another updater is at it.", err=True)
        return Exit.DONE
    return asyncio.run(_until_asked_to_end(updater.update(options.place, attempt, lock, stable=options.stability)))


def _run_the_program_of_the_site(options: Options) -> str | None:
    """Go on as the program that the site names, once no replacement is open; give why it cannot be followed, if so."""
    found = asyncio.run(updater.enter(options.place, stable=options.stability))
    execute(found)
    return found.complaint


async def _until_asked_to_end(walk: Coroutine[Any, Any, WalkEnd]) -> int:
    """Give the exit code of a walk. Asked to end it stops where it is: the next entry goes on from there."""
    walking, asked = asyncio.create_task(walk), asyncio.create_task(asked_to_end().wait())
    await asyncio.wait({walking, asked}, return_when=asyncio.FIRST_COMPLETED)
    for task in (walking, asked):
        task.cancel()
    try:
        return (await walking).exit_code
    except asyncio.CancelledError:
        return Exit.OTHER


def _pack(builds: Path) -> None:
    own = own_identity()
    if own is None:
        raise click.ClickException("This Admin cannot tell which build it is; `make build-identity` writes that down.")
    click.echo("Packing the demo builds …", err=True)
    asyncio.run(pack_demo_builds(builds, own))


async def _serve(
    options: Options, serving: Serving, announce: Announce, *, complaint: str | None, demo: bool = False
) -> None:

    ending = asked_to_end()
    async with Site.open(options) as site:
        if complaint is not None:
            site.house.warnings.show(Code.CURRENT_ADMIN_UNUSABLE, complaint)
        await site.keep_own_program()
        try:
            async with served(site.house, site.hints, serving) as server:
                site.reachable.url = server.url
                announce(server.url, server.code)
                await ending.wait()
        except CannotListenError as error:
            raise click.ClickException(f"{error}.") from error
        if demo:
            await _stop_ems(site)


async def _stop_ems(site: Site) -> None:
    """Stop what the demo started, unless an Admin replacement is under way: then it belongs to the next Admin."""
    if await site.house.engine.replacement_activity(None) is not Activity.INACTIVE:
        return
    await site.tasks.close(CLOSING)  # whoever is starting it must not start it again
    await site.house.engine.stop(lambda _progress: None)
