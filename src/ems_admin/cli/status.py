"""`ems-admin status`: how a site stands, read from its files. No server, no lock. Source: `site.md` 10."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ems_admin.cli.operating import Place, carried_out, of_a_site, operating


@click.command()
@of_a_site
@click.option("--json", "as_json", is_flag=True, help="Everything, for programs.")
@click.pass_context
def status(context: click.Context, *, place: Place, as_json: bool) -> None:
    """Say how the site in --install-root stands."""
    found = carried_out(lambda: operating(context).look(place))
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    table = Table.grid(padding=(0, 3, 0, 0))
    for label, text in lines(found):
        table.add_row(Text(label, "dim"), Text(text))
    Console(highlight=False).print(table)


def lines(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give what a person wants to know first, one line a thing."""
    admin, lifecycle, setup = found["admin"], found["lifecycle"], found["lifecycle"]["setup"]
    yield "Admin", "not running" if admin is None else f"{place(admin)}, since {admin['started_at']}"
    yield "Installed", found["install_state"]["state"]
    yield "Console", f"{lifecycle['owner']}, {lifecycle['state']}"
    if setup["present"]:
        yield "Setup", setup["status"] if setup["readable"] else f"cannot be read: {setup['fault']}"
    yield "Operation", operation(found["alignment"])
    yield "EMS", found["deployment"]["state"]
    for service in found["deployment"]["services"]:
        yield "", f"{service['service']}: {service['state']}, {service['health']} {service['url'] or ''}".rstrip()
    for warning in found["warnings"]:
        yield "Warning", warning["message"]


def operation(alignment: Mapping[str, Any]) -> str:
    """Tell the operation in a few words."""
    if alignment["error"] is not None:
        return f"cannot be read: {alignment['error']}"
    transition = alignment["transition"]
    return "none" if transition is None else f"{transition['system_tag']}, {transition['stage']}"


def place(admin: Mapping[str, Any]) -> str:
    """Say where the Admin of a site is to be ended. A process id means nothing outside its container."""
    return f"container {admin['container']}" if admin["container"] else f"process {admin['process']}"
