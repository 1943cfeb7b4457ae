"""`ems-admin machines`: the declarations on a terminal, or as data for other tools. No server, no lock."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ems_admin.cli.nearby import unknown
from ems_admin.machines.catalogue import BY_NAME, CATALOGUE, Declared, Entry, Projected
from ems_admin.machines.kernel import Machine
from ems_admin.machines.kernel import Table as Classification
from ems_admin.machines.refusals import sentence
from ems_admin.machines.render.answered import answers
from ems_admin.machines.render.data import data
from ems_admin.machines.render.matrix import ways
from ems_admin.machines.render.typescript import typescript


@click.group()
def machines() -> None:
    """Show the declared machines."""


@machines.command("list")
def list_machines() -> None:
    """Name every machine, and where its state is kept."""
    table = Table("machine", "in a sentence", "state", box=None, header_style="dim", pad_edge=False)
    for entry in CATALOGUE:
        table.add_row(Text(entry.name, "bold"), entry.summary, Text(_record(entry), "dim"))
    Console().print(table)


@machines.command()
@click.argument("name")
def show(name: str) -> None:
    """Show one machine: its states, the ways of every trigger, and what it may answer."""
    entry = BY_NAME.get(name)
    if entry is None:
        raise click.BadParameter(unknown("machine", name, BY_NAME), param_hint="NAME")
    console = Console()
    heading = Text.assemble((entry.title, "bold"), "\n", entry.summary, "\n", (f"State: {_record(entry)}", "dim"))
    console.print(Panel(heading, expand=False, border_style="dim"))
    if isinstance(entry, Declared):
        console.print(_states(entry.machine), "")
        console.print(_ways(entry), "")
    else:
        _print_tables(console, entry)
    _print_answers(console, entry)


@machines.command()
@click.option("--json", "form", flag_value="json", default="json", help="All that is declared, as JSON.")
@click.option("--typescript", "form", flag_value="typescript", help="The vocabularies, as TypeScript unions.")
def export(form: str) -> None:
    """Print all declarations for other tools."""
    if form == "typescript":
        click.echo(typescript(), nl=False)
    else:
        click.echo(json.dumps({"machines": [data(entry) for entry in CATALOGUE]}, indent=2, ensure_ascii=False))


def _record(entry: Entry) -> str:
    return entry.record.replace("`", "")  # the catalogue speaks Markdown


def _states(machine: Machine[Any, Any]) -> Text:
    line = Text()
    for state in machine.states:
        style = "green" if state in machine.final else "blue bold" if state in machine.initial else "bold"
        line.append(f"{'' if not line else '  '}{state}", style)
    return line


def _ways(entry: Declared) -> Table:
    table = Table("trigger", "way", "asked in this order", box=None, header_style="dim", pad_edge=False)
    last = ""
    for way in ways(entry):
        table.add_row(Text("" if way.trigger == last else way.trigger, "bold"), way.leads, Text(way.asked, "dim"))
        last = way.trigger
    return table


def _print_tables(console: Console, entry: Projected) -> None:
    for declared in entry.tables:
        console.print(_rows(declared), "")


def _rows(declared: Classification[Any, Any]) -> Table:
    table = Table(*declared.columns, declared.name, box=None, header_style="dim", pad_edge=False)
    for row in declared.rows:
        cells = (", ".join(m for m in kind if m in row.cells.get(c, ())) for c, kind in declared.columns.items())
        table.add_row(*cells, Text(str(row.answer), "bold"))
    return table


def _print_answers(console: Console, entry: Entry) -> None:
    codes = dict.fromkeys(answer.code for answer in answers(entry))
    if not codes:
        return
    table = Table("may answer", "which means", box=None, header_style="dim", pad_edge=False)
    for code in codes:
        table.add_row(Text(code, "yellow"), sentence(code).message)
    console.print(table)
