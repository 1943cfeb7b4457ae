"""A group whose commands are imported when they are called: `ems-admin explain` loads neither server nor engine."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Commands by name, each as `module:attribute`. Mutable, because click's groups are."""

    def __init__(self, *args: Any, lazy: Mapping[str, str] | None = None, **settings: Any) -> None:
        """Take the places of the commands beside what any group takes."""
        super().__init__(*args, **settings)
        self._lazy = dict(lazy or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name all commands in the order in which they were given: first things first."""
        return [*self._lazy, *(name for name in super().list_commands(ctx) if name not in self._lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command, if there is one of that name."""
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self._lazy[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command
