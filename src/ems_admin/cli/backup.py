"""`ems-admin backup`: backups by somebody who sits at the machine, or by a timer. Source: `site.md` 10."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click
from attrs import evolve
from rich.console import Console
from rich.text import Text

from ems_admin.cli.keeping import Compare, Create, Delete, Errand, Inspect, List, Restore, keeper
from ems_admin.cli.locked import PASSWORD_STDIN, asked, given
from ems_admin.cli.operating import Place, carried_out, of_a_site, refuse
from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import LABEL_LIMIT, BackupPart, BackupScope
from ems_admin.workflows.backups.planning import ConflictPolicy
from ems_admin.workflows.ports.records import RefusalError

JSON = click.option("--json", "as_json", is_flag=True, help="Everything, for programs.")
SCOPE = click.option(
    "--scope",
    type=click.Choice([str(scope) for scope in BackupScope]),
    default=str(BackupScope.CONFIG),
    show_default=True,
    help="`full` adds how the site stood, as evidence.",
)


@click.group()
def backup() -> None:
    """Make, look at, restore and delete backups of the configuration."""


@backup.command("list")
@of_a_site
@JSON
@click.pass_context
def list_(context: click.Context, *, place: Place, as_json: bool) -> None:
    """List every backup, the newest first."""
    found = carried_out(lambda: keeper(context).keep(place, List()))
    if as_json:
        _print_json(found)
        return
    console = Console(highlight=False)
    for one in found["backups"]:
        # Unbroken: an id that is cut short cannot be copied.
        console.print(Text("   ".join(_line(one))), soft_wrap=True)


@backup.command()
@of_a_site
@SCOPE
@click.option("--label", default="", help=f"A name for people, at most {LABEL_LIMIT} characters.")
@click.option("--locked", is_flag=True, help="Lock it with a password, which is asked for.")
@PASSWORD_STDIN
@JSON
@click.pass_context
def create(  # noqa: PLR0913  # the options of one command
    context: click.Context,
    *,
    place: Place,
    scope: str,
    label: str,
    locked: bool,
    password_stdin: bool,
    as_json: bool,
) -> None:
    """Make a backup and read it back. The Admin may run meanwhile."""
    password = given(stdin=password_stdin)
    if locked and password is None:
        password = asked(twice=True)
    errand = Create(scope=BackupScope(scope), label=label, password=password)
    made = carried_out(lambda: keeper(context).keep(place, errand))
    _print(made, (("Backup", made["id"]), *_contents(made)), as_json=as_json)


@backup.command()
@click.argument("backup_id")
@of_a_site
@PASSWORD_STDIN
@JSON
@click.pass_context
def inspect(context: click.Context, *, backup_id: str, place: Place, password_stdin: bool, as_json: bool) -> None:
    """Open a backup, prove every byte of it, and say what it holds."""
    found = _opened(context, place, Inspect(id=backup_id, password=given(stdin=password_stdin)))
    _print(found, _facts(found), as_json=as_json)


@backup.command()
@click.argument("backup_id")
@of_a_site
@click.option(
    "--file",
    "part",
    type=click.Choice([str(part) for part in BackupPart]),
    default=str(BackupPart.CONFIG),
    show_default=True,
    help="Which file of the backup.",
)
@PASSWORD_STDIN
@JSON
@click.pass_context
def diff(  # noqa: PLR0913  # the options of one command
    context: click.Context, *, backup_id: str, place: Place, part: str, password_stdin: bool, as_json: bool
) -> None:
    """Compare a file of a backup with what is there now. Secrets are hidden."""
    errand = Compare(id=backup_id, file=BackupPart(part), password=given(stdin=password_stdin))
    found = _opened(context, place, errand)
    if as_json:
        _print_json(found)
    else:
        click.echo(found["diff"]["text"] or "There is no difference.")


@backup.command()
@click.argument("backup_id")
@of_a_site
@click.option("--scope", type=click.Choice([str(scope) for scope in BackupScope]), default=str(BackupScope.CONFIG))
@click.option(
    "--policy",
    type=click.Choice([str(policy) for policy in ConflictPolicy]),
    default=str(ConflictPolicy.TAKE_BACKUP),
    show_default=True,
    help="What wins where the live configuration says something else.",
)
@click.option("--yes", "confirm", is_flag=True, help="Do it; without this it is only said what would change.")
@PASSWORD_STDIN
@JSON
@click.pass_context
def restore(  # noqa: PLR0913  # the options of one command
    context: click.Context,
    *,
    backup_id: str,
    place: Place,
    scope: str,
    policy: str,
    confirm: bool,
    password_stdin: bool,
    as_json: bool,
) -> None:
    """Restore a backup over the configuration as it is now. Takes the site: end the Admin first."""
    errand = Restore(
        id=backup_id,
        scope=BackupScope(scope),
        conflict_policy=ConflictPolicy(policy),
        confirm=confirm,
        password=given(stdin=password_stdin),
    )
    done = _opened(context, place, errand)
    if as_json:
        _print_json(done)
        return
    preview, restored = done["preview"], done["restored"]
    click.echo(preview["diff"]["text"] or "There is no difference.")
    for ref in (*preview["secrets_added"], *preview["secrets_changed"]):
        click.echo(f"The secret of {ref} comes out of the backup.")
    if restored is None:
        click.echo("Nothing was changed. Add --yes to restore.")
    elif not restored["changed"]:
        click.echo("The configuration was so already.")
    else:
        kept = restored["backup"]
        click.echo("Restored." if kept is None else f"Restored. What was there before is kept as {kept}.")


@backup.command()
@click.argument("backup_id")
@of_a_site
@click.option("--yes", "confirm", is_flag=True, help="Do it; without this nothing is done.")
@click.pass_context
def delete(context: click.Context, *, backup_id: str, place: Place, confirm: bool) -> None:
    """Delete a backup."""
    if not confirm:
        raise click.UsageError("Add --yes to delete it. A backup that is deleted does not come back.")
    gone = carried_out(lambda: keeper(context).keep(place, Delete(id=backup_id)))
    click.echo(f"Deleted {gone['id']}.")


def _opened(context: click.Context, place: Place, errand: Inspect | Compare | Restore) -> Mapping[str, Any]:
    """Do what needs an open backup. A person at a terminal is asked for its password once it turns out to have one."""
    try:
        return keeper(context).keep(place, errand)
    except RefusalError as refused:
        if refused.refusal.code is not Code.BACKUP_PASSWORD_REQUIRED or not sys.stdin.isatty():
            refuse(refused.refusal)
    again: Errand = evolve(errand, password=asked(twice=False))
    return carried_out(lambda: keeper(context).keep(place, again))


def _line(one: Mapping[str, Any]) -> Iterator[str]:
    yield one["id"]
    if damage := one["damage"]:
        yield f"damaged: {damage['fault']}"
        return
    yield one["created_at"]
    yield str(one["scope"]) + (", locked" if one["locked"] else "")
    for file in one["left_out"] or ():
        yield f"without {file['name']}: {file['fault']}"
    yield one["label"]


def _facts(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Backup", found["id"]
    yield "Made", found["created_at"]
    yield "Label", found["label"]
    yield "Build", found["system_tag"] or "unknown"
    yield from _contents(found)


def _contents(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for file in found["files"] or ():
        yield "Holds", f"{file['name']}, {file['bytes']} bytes"
    for file in found["left_out"] or ():
        yield "Left out", f"{file['name']}: {file['fault']}"


def _print(found: Mapping[str, Any], told: Iterable[tuple[str, str]], *, as_json: bool) -> None:
    if as_json:
        _print_json(found)
        return
    console = Console(highlight=False)
    for label, text in told:
        console.print(Text.assemble((label.ljust(8), "dim"), "   ", text), soft_wrap=True)


def _print_json(found: Mapping[str, Any]) -> None:
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))
