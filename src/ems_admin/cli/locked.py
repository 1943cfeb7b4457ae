"""The password of a backup, as a command comes by it.

It is never an option: whoever lists the processes of a machine would read it. It comes from the environment, from
standard input, or from a person who is asked.
"""

from __future__ import annotations

import os
import sys
from typing import Final

import click

ENVIRONMENT: Final = "EMS_ADMIN_BACKUP_PASSWORD"

PASSWORD_STDIN = click.option(
    "--password-stdin", is_flag=True, help=f"Read the password from standard input; ${ENVIRONMENT} does as well."
)


def given(*, stdin: bool) -> str | None:
    """Give the password that came with the command; `None` when none did."""
    if stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return os.environ.get(ENVIRONMENT)


def asked(*, twice: bool) -> str:
    """Ask the person at the terminal, without showing what is typed."""
    word: str = click.prompt("Password of the backup", hide_input=True, confirmation_prompt=twice, err=True)
    return word
