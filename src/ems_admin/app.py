"""The entry point: the one place that knows every layer. Commands are imported when they are called."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Final

import click

from ems_admin import __version__
from ems_admin.cli.lazy import LazyGroup

COMMANDS: Final = {
    "machines": "ems_admin.cli.machines:machines",
    "explain": "ems_admin.cli.explain:explain",
    "diagrams": "ems_admin.cli.diagrams:diagrams",
}
"""What a person types, and where it lives. The order is that of the help."""


@click.group(cls=LazyGroup, lazy=COMMANDS, context_settings={"help_option_names": ("-h", "--help")})
@click.version_option(__version__, prog_name="ems-admin")
def main() -> None:
    """Set up, look after and update a home energy management system."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter shows its number instead; names are never worth a crash (F06).
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
