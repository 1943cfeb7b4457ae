"""One site in the foreground of this process: its server, or that of the demo.

Whoever starts a site runs the program that the site names, once no replacement is open. Source: `site.md` 10;
`replacement.md` 7.8.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve

from ems_admin.builds.identity import own_identity
from ems_admin.builds.own_program import is_kept_program
from ems_admin.demo.packing import pack_demo_builds
from ems_admin.http.listening import CannotListenError
from ems_admin.http.serving import Serving, asked_to_end, served
from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import EngineKind
from ems_admin.native.replacement.admins import LOG
from ems_admin.native.replacement.entrance import execute
from ems_admin.site import CLOSING, Options, Site
from ems_admin.updater.processes import enter
from ems_admin.workflows.ports.engine import Activity

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


def _run_the_program_of_the_site(options: Options) -> str | None:
    """Go on as the program that the site names, once no replacement is open; give why it cannot be followed, if so."""
    if options.engine is not EngineKind.NATIVE:
        return None  # the engine runs the image that it was told to run
    found = asyncio.run(enter(options))
    execute(found)
    return found.complaint


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
        replacement = await site.house.engine.replacement_activity(None)
        if replacement is Activity.ACTIVE and site.options.engine is EngineKind.NATIVE:
            _tell_of_successor(site, server.url)
        if demo and replacement is Activity.INACTIVE:  # otherwise the EMS belongs to the next Admin
            await _stop_ems(site)


async def _stop_ems(site: Site) -> None:
    """Stop what the demo started."""
    await site.tasks.close(CLOSING)  # whoever is starting it must not start it again
    await site.house.engine.stop(lambda _progress: None)


def _tell_of_successor(site: Site, url: str) -> None:
    """Say where this site goes on, to a person whose terminal it leaves."""
    place = site.options.place
    elsewhere = "" if place.admin_data == place.install_root / "admin" else f" --data-dir {place.admin_data}"
    click.echo(
        f"An updater puts another Admin in the place of this one, at {url}. It runs without a terminal.\n"
        f"  What it says:  {place.log(LOG)}\n"
        f"  Its process:   ems-admin status --install-root {place.install_root}{elsewhere}\n"
        "`kill` with that process ends it as Ctrl-C would; start the site as before to have it in a terminal again.",
        err=True,
    )
