"""`ems-admin explain CODE`: what a code means, what can be done, and who answers it. No server, no lock."""

from __future__ import annotations

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ems_admin.cli.nearby import unknown
from ems_admin.machines.codes import Code
from ems_admin.machines.refusals import Sentence, sentence
from ems_admin.machines.render.answered import Answer, who_answers


@click.command()
@click.argument("code")
def explain(code: str) -> None:
    """Say what CODE means and what can be done about it."""
    try:
        known = Code(code.strip().lower().replace("-", "_"))
    except ValueError:
        raise click.BadParameter(unknown("code", code, Code), param_hint="CODE") from None
    told = sentence(known)
    console = Console()
    console.print(Text(known, "bold yellow"))
    console.print(Padding(told.message, (0, 0, 1, 2)))
    console.print(Text("What can be done", "dim"))
    console.print(Padding(_actions(told), (0, 0, 1, 2)))
    console.print(Text("Who answers it", "dim"))
    console.print(Padding(_answers(who_answers(known)), (0, 0, 0, 2)))


def _actions(told: Sentence) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    for action in told.next_actions:
        table.add_row(Text(action.label, "bold"), Text(f"{action.method} {action.path}", "dim"))
    return table


def _answers(answers: tuple[Answer, ...]) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    for answer in answers:
        table.add_row(Text(answer.entry.name, "bold"), answer.because)
    if not answers:
        table.add_row("No machine: a route, a store or an engine gives it.")
    return table
