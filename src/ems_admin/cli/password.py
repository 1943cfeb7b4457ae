"""`ems-admin password`: the way out for somebody who sits at the machine. Source: `site.md` 10; `http.md` 5.2."""

from __future__ import annotations

import click

from ems_admin.cli.operating import Place, carried_out, of_a_site, operating


@click.group()
def password() -> None:
    """Look after the password of the console."""


@password.command()
@of_a_site
@click.pass_context
def reset(context: click.Context, *, place: Place) -> None:
    """Set the password file aside, so that the next start asks for a new password. Takes the site: end the Admin."""
    kept = carried_out(lambda: operating(context).reset_password(place))
    if kept is None:
        click.echo("There is no password. The next start asks for one.")
    else:
        click.echo(f"The old file is kept as config/{kept}. The next start asks for a new password.")
