"""`ems-admin serve`: look after one site and show its console. Source: `site.md` 10."""

from __future__ import annotations

from pathlib import Path

import click

from ems_admin.cli.logs import configure_logs
from ems_admin.cli.operating import Place, ServeOrder, announce, carried_out, of_a_site, operating

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@of_a_site
@click.option(
    "--listen",
    default="127.0.0.1:8090",
    show_default=True,
    envvar="EMS_ADMIN_LISTEN",
    help="HOST:PORT; an IPv6 address in brackets.",
)
@click.option(
    "--catalogue", envvar="EMS_ADMIN_CATALOGUE", help="Where System Builds come from: a folder, or an https:// address."
)
@click.option("--tls-cert", type=FILE, help="A certificate chain, as PEM; with --tls-key.")
@click.option("--tls-key", type=FILE, help="Its key.")
@click.option(
    "--trusted-origin",
    multiple=True,
    envvar="EMS_ADMIN_TRUSTED_ORIGINS",
    help="Another address of this console, such as that of a proxy: https://ems.example. May be repeated.",
)
@click.pass_context
def serve(  # noqa: PLR0913  # the words of the command
    context: click.Context,
    *,
    place: Place,
    listen: str,
    catalogue: str | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    trusted_origin: tuple[str, ...],
) -> None:
    """Serve the console of the site in --install-root."""
    configure_logs()
    if (tls_cert is None) is not (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key go together.")
    order = ServeOrder(
        place=place,
        listen=listen,
        catalogue=catalogue,
        certificate=(tls_cert, tls_key) if tls_cert and tls_key else None,
        trusted_origins=trusted_origin,
    )
    carried_out(lambda: operating(context).serve(order, announce))
