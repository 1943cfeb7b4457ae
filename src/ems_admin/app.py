"""The entry point: the one place that knows every layer.

Commands, and the layers behind them, are imported when they are called: `explain` loads neither server nor engine.
"""
# ruff: noqa: PLC0415

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from io import TextIOWrapper
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

import click

from ems_admin import __version__
from ems_admin.cli.lazy import LazyGroup

if TYPE_CHECKING:
    from ems_admin.cli.keeping import Errand
    from ems_admin.cli.operating import Announce, DemoOrder, Place, RecoverOrder, ServeOrder, UpdaterOrder
    from ems_admin.http.serving import Serving
    from ems_admin.machines.records.build import CatalogueEntry
    from ems_admin.site import Options
    from ems_admin.workflows.ports.builds import BuildFailure
    from ems_admin.workflows.ports.publishing import CheckedBuild

COMMANDS: Final = {
    "serve": "ems_admin.cli.serve:serve",
    "demo": "ems_admin.cli.demo:demo",
    "status": "ems_admin.cli.status:status",
    "explain": "ems_admin.cli.explain:explain",
    "machines": "ems_admin.cli.machines:machines",
    "recover": "ems_admin.cli.recover:recover",
    "backup": "ems_admin.cli.backup:backup",
    "release": "ems_admin.cli.release:release",
    "updater": "ems_admin.cli.updater:updater",
    "password": "ems_admin.cli.password:password",
    "diagrams": "ems_admin.cli.diagrams:diagrams",
}
"""What a person types, and where it lives. The order is that of the help."""


def _tell_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:  # noqa: FBT001  # click's
    """Say version and build: what somebody asks who tries whether a program runs at all (F20)."""
    if not asked:
        return
    from ems_admin.builds.identity import own_identity

    own = own_identity()
    click.echo(f"ems-admin, version {__version__}" + (f", build {own.build_id}" if own else ""))
    context.exit()


@click.group(cls=LazyGroup, lazy=COMMANDS, context_settings={"help_option_names": ("-h", "--help")})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_version, help="Say who this is."
)
@click.pass_context
def main(context: click.Context) -> None:
    """Set up, look after and update a home energy management system."""
    context.obj = Composition()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter shows its number instead; names are never worth a crash (F06).
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Composition:
    """What the commands ask for. Implements `Operating`, `Keeping`, `Pages` and `Publishing`."""

    def serve(self, order: ServeOrder, announce: Announce) -> None:
        """Serve a site until somebody asks for the end."""
        _refuse_owned(order.place)
        from ems_admin.http.serving import certificate_of

        certificate = None
        if order.certificate is not None:
            try:
                certificate = certificate_of(*order.certificate)
            except OSError as error:  # of which the errors of TLS are a kind
                raise click.ClickException(f"The certificate cannot be used: {error}") from error
        options = _options(order.place, catalogue=order.catalogue)
        serving = _serving(order.listen, certificate=certificate, trusted_origins=order.trusted_origins)
        from ems_admin import foreground

        foreground.serve(options, serving, announce)

    def demo(self, order: DemoOrder, announce: Announce) -> None:
        """Pack the builds, serve the demo site, and stop at the end what it started."""
        _refuse_owned(demo_place(order))
        from ems_admin import foreground

        foreground.demo(_options(demo_place(order)), order.root / "builds", _serving(order.listen), announce)

    def update(self, order: UpdaterOrder) -> int:
        """Walk the replacement of an Admin to its end; give the exit code."""
        if order.local:
            _refuse_owned(order.place)
        from ems_admin.cli.exits import Exit
        from ems_admin.updater.finishing import Unfinished, finish
        from ems_admin.updater.walking import WalkOf

        end = finish(_options(order.place), None if order.which is None else WalkOf(*order.which))
        match end:
            case Unfinished.NOTHING:
                click.echo("There is nothing to be finished, or another updater is at it.", err=True)
                return Exit.DONE
            case Unfinished.STOPPED:
                return Exit.OTHER
            case _:
                return end.exit_code

    def look(self, place: Place) -> Mapping[str, Any]:
        """Read a site as JSON."""
        from ems_admin.errands import sites

        return asyncio.run(sites.look(_options(place)))

    def preview_recovery(self, place: Place) -> Mapping[str, Any]:
        """Say what recovery could do, as JSON."""
        from ems_admin.errands import sites

        return asyncio.run(sites.preview_recovery(_options(place)))

    def recover(self, order: RecoverOrder) -> Mapping[str, Any]:
        """Recover, under the site lock."""
        from ems_admin.errands import sites

        return asyncio.run(sites.recover_site(_options(order.place), order))

    def reset_password(self, place: Place) -> str | None:
        """Set the password file aside, under the site lock."""
        from ems_admin.errands import sites

        return asyncio.run(sites.reset_password(_options(place)))

    def keep(self, place: Place, errand: Errand) -> Mapping[str, Any]:
        """Do something with the backups of a site; only a restore takes its lock."""
        from ems_admin.errands import backups

        return asyncio.run(backups.run(_options(place), errand))

    def pages(self) -> Mapping[str, str]:
        """Give what the routes say of themselves."""
        from ems_admin.http import page

        return {page.PATH: page.page()}

    def pack(self, directory: PurePath, out: PurePath) -> CheckedBuild | BuildFailure:
        """Pack the folder of a maintainer."""
        from ems_admin.builds.publishing import Publisher

        return Publisher().pack(directory, out)

    def catalogue(self, directory: PurePath) -> tuple[CatalogueEntry, ...] | BuildFailure:
        """List the archives of a folder."""
        from ems_admin.builds.publishing import Publisher

        return Publisher().catalogue(directory)

    def verify(self, place: PurePath) -> tuple[CheckedBuild, ...] | BuildFailure:
        """Check what was packed."""
        from ems_admin.builds.publishing import Publisher

        return Publisher().verify(place)


def demo_place(order: DemoOrder) -> Place:
    """Say where the demo site lives. What the environment says is about another one."""
    from ems_admin.cli.operating import Place

    return Place(install_root=order.root / "site")


def _refuse_owned(place: Place) -> None:
    """Tell at once who looks after the site, before a second is spent on loading the server (F12).

    It decides nothing: the lock is taken when the site is opened, and answers the same.
    """
    from ems_admin.machines.codes import Code
    from ems_admin.machines.kernel import Refusal
    from ems_admin.stores.site_lock import site_owner
    from ems_admin.workflows.ports.records import RefusalError

    owner = None
    with suppress(OSError):
        owner = site_owner(place.admin_data)
    if owner is not None:
        raise RefusalError(Refusal(Code.SITE_LOCKED, more=owner))


def _options(place: Place, **more: Any) -> Options:
    from ems_admin.site import Options

    said = {"EMS_ADMIN_DATA_DIR": str(place.admin_data), "EMS_ADMIN_ENGINE": place.engine}
    return Options.at(place.install_root, {**os.environ, **said}, **more)


def _serving(listen: str, **more: Any) -> Serving:
    from ems_admin.http.listening import listen_of

    try:
        address = listen_of(listen)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--listen") from error
    from ems_admin.http.serving import Serving

    return Serving(listen=address, **more)
