"""`ems-admin recover`: the way out for somebody who sits at the machine. Source: `site.md` 10; `seed 000` 7.4.

The preview looks and locks nothing. What changes anything takes the site, and goes by the fingerprint of a preview.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from ems_admin.cli.operating import Place, RecoverOrder, carried_out, of_a_site, operating
from ems_admin.machines.lifecycle.recovery import Mode

FINGERPRINT = click.option("--fingerprint", help="Of the preview that you decided on.")
YES = click.option("--yes", "confirm", is_flag=True, help="Do it; without this nothing is done.")
JSON = click.option("--json", "as_json", is_flag=True, help="Everything, for programs.")


@click.group()
def recover() -> None:
    """Lead a site out of a state that nothing else leads out of."""


@recover.command()
@of_a_site
@JSON
@click.pass_context
def preview(context: click.Context, *, place: Place, as_json: bool) -> None:
    """Say what recovery could do now. Takes no lock and changes nothing."""
    found = carried_out(lambda: operating(context).preview_recovery(place))
    _print(found, lines(found), as_json=as_json)


@recover.command()
@of_a_site
@FINGERPRINT
@YES
@JSON
@click.pass_context
def safe(  # the options of one command
    context: click.Context,
    *,
    place: Place,
    fingerprint: str | None,
    confirm: bool,
    as_json: bool,
) -> None:
    """End what is in progress by the normal means. Takes the site: end the Admin first."""
    order = RecoverOrder(
        place=place,
        mode=Mode.SAFE,
        fingerprint=fingerprint,
        confirm=confirm,
    )
    done = carried_out(lambda: operating(context).recover(order))
    _print(done, (("Done", action) for action in done["actions"] or ("nothing",)), as_json=as_json)


@recover.command()
@of_a_site
@FINGERPRINT
@click.option("--reason", help="Why, in your own words; it is kept with the copies.")
@YES
@JSON
@click.pass_context
def release(  # noqa: PLR0913  # the options of one command
    context: click.Context,
    *,
    place: Place,
    fingerprint: str | None,
    reason: str | None,
    confirm: bool,
    as_json: bool,
) -> None:
    """Set aside, with a copy, the records that nothing else can end. Takes the site: end the Admin first."""
    order = RecoverOrder(
        place=place,
        mode=Mode.RELEASE_STALE_STATE,
        fingerprint=fingerprint,
        confirm=confirm,
        reason=reason,
    )
    done = carried_out(lambda: operating(context).recover(order))
    _print(done, _released(done), as_json=as_json)


def lines(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give what a person has to know before deciding, one line a thing."""
    lifecycle = found["lifecycle"]
    yield "Console", f"{lifecycle['owner']}, {lifecycle['state']}"
    if found["blocking"] is not None:
        yield "In the way", found["blocking"]
    for action in found["safe"]["actions"]:
        yield "Safe recovery", action
    for file in found["release"]["files"]:
        yield "Release", f"{file['name']}: {file['reason']}"
    yield "Fingerprint", found["fingerprint"]


def _released(done: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for file in done["released"]:
        yield "Set aside", f"{file['name']}: {file['reason']}"
    yield "Copies", done["backup"] or "none: nothing was left to set aside"


def _print(found: Mapping[str, Any], told: Iterator[tuple[str, str]], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    rows = tuple(told)
    width = max(len(label) for label, _ in rows)
    console = Console(highlight=False)
    for label, text in rows:
        # Unbroken: a fingerprint that is cut short, or into two lines, cannot be copied.
        console.print(Text.assemble((label.ljust(width), "dim"), "   ", text), soft_wrap=True)
