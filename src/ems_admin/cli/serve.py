"""`ems-admin serve`: look after one site and show its console. Source: `site.md` 10."""

from __future__ import annotations

from pathlib import Path

import click

from ems_admin.cli.logs import configure_logs
from ems_admin.cli.operating import DATA_DIR, INSTALL_ROOT, Place, ServeOrder, announce, carried_out, operating

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@INSTALL_ROOT
@DATA_DIR
@click.option("--listen", default="127.0.0.1:8090", show_default=True, help="HOST:PORT; an IPv6 address in brackets.")
@click.option("--engine", type=click.Choice(("native", "docker")), default="native", show_default=True)
@click.option("--catalogue", help="Where System Builds come from: a folder, or an https:// address.")
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
    install_root: Path,
    data_dir: Path | None,
    listen: str,
    engine: str,
    catalogue: str | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    trusted_origin: tuple[str, ...],
) -> None:
    """Serve the console of the site in --install-root."""
    configure_logs()
    if engine == "docker":
        raise click.UsageError("The Docker engine is not part of this version. Use --engine native.")
    if (tls_cert is None) is not (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key go together.")
    order = ServeOrder(
        place=Place(install_root=install_root, data_dir=data_dir),
        listen=listen,
        catalogue=catalogue,
        certificate=(tls_cert, tls_key) if tls_cert and tls_key else None,
        trusted_origins=trusted_origin,
    )
    carried_out(lambda: operating(context).serve(order, announce))
