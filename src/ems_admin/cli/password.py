"""`ems-admin password`: the way out for somebody who sits at the machine. Source: `site.md` 10; `http.md` 5.2."""

from __future__ import annotations

from pathlib import Path

import click

from ems_admin.cli.operating import DATA_DIR, INSTALL_ROOT, Place, carried_out, operating


@click.group()
def password() -> None:
    """Look after the password of the console."""


@password.command()
@INSTALL_ROOT
@DATA_DIR
@click.pass_context
def reset(context: click.Context, *, install_root: Path, data_dir: Path | None) -> None:
    """Set the password file aside, so that the next start asks for a new password. Takes the site: end the Admin."""
    place = Place(install_root=install_root, data_dir=data_dir)
    kept = carried_out(lambda: operating(context).reset_password(place))
    if kept is None:
        click.echo("There is no password. The next start asks for one.")
    else:
        click.echo(f"The old file is kept as config/{kept}. The next start asks for a new password.")
