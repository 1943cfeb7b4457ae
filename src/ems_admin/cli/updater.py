"""`ems-admin updater`: replace the Admin of a site by the one that an operation names. Source: `site.md` 10.

An Admin starts it beside itself. A person needs it only where nobody starts the site: `serve` does the same first.
"""

from __future__ import annotations

import sys

import click

from ems_admin.cli.logs import configure_logs
from ems_admin.cli.operating import Place, UpdaterOrder, carried_out, of_a_site, operating


@click.command()
@of_a_site
@click.option("--operation", help="The operation; with --attempt. Without both, the walk that was left open.")
@click.option("--attempt", type=click.IntRange(min=1), help="Which attempt of the operation.")
@click.option("--local", is_flag=True, help="By hand: refused while an Admin looks after the site.")
@click.pass_context
def updater(  # the words of the command
    context: click.Context,
    *,
    place: Place,
    operation: str | None,
    attempt: int | None,
    local: bool,
) -> None:
    """Replace the Admin of the site in --install-root."""
    configure_logs()
    if (operation is None) is not (attempt is None):
        raise click.UsageError("--operation and --attempt go together.")
    order = UpdaterOrder(
        place=place,
        which=None if operation is None or attempt is None else (operation, attempt),
        local=local,
    )
    sys.exit(carried_out(lambda: operating(context).update(order)))
