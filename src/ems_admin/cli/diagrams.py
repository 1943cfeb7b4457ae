"""`ems-admin diagrams`: write what is made from the declarations, or say which of it is stale. No server, no lock."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import which
from typing import Protocol, runtime_checkable

import click

from ems_admin.cli.exits import Exit
from ems_admin.machines.render.files import OWNED, pictures, texts
from ems_admin.machines.render.svg import finish, is_drawn_from


@runtime_checkable
class Pages(Protocol):
    """What other rooms write about themselves."""

    def pages(self) -> Mapping[str, str]:
        """Give pages by their paths in the checkout."""
        ...


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; name what is stale and exit 1 if anything is.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The checkout to write to; without it, the one that this command runs from.",
)
@click.pass_context
def diagrams(context: click.Context, *, check: bool, root: Path | None) -> None:
    """Draw the machines and write their pages, the refusals, the routes and the console's types."""
    checkout = root or _checkout()
    written = {**texts(), **_pages(context)}
    if check:
        _check(checkout, written)
    else:
        _write(checkout, written)


def _pages(context: click.Context) -> Mapping[str, str]:
    composed: Pages | None = context.find_object(Pages)  # type: ignore[type-abstract]
    return composed.pages() if composed else {}


def _checkout() -> Path:
    root = Path(__file__).resolve().parents[3]
    if not (root / "pyproject.toml").is_file():
        raise click.UsageError("This is an installed package. Name the checkout to write to with --root.")
    return root


def _check(root: Path, written: Mapping[str, str]) -> None:
    stale = tuple(_stale(root, written))
    for path, why in stale:
        click.echo(f"{path}: {why}", err=True)
    if stale:
        click.echo("Run `make diagrams`.", err=True)
        raise SystemExit(Exit.OTHER)
    click.echo(f"{len(written) + len(pictures())} generated files are as declared.")


def _stale(root: Path, written: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for path, text in written.items():
        if _read(root / path) != text:
            yield path, "missing" if not (root / path).exists() else "stale"
    # A picture is judged by the text that it says it was drawn from: its lines differ from one Graphviz to the next.
    for path, (_, source) in pictures().items():
        if not is_drawn_from(_read(root / path) or "", source):
            yield path, "missing" if not (root / path).exists() else "stale"
    for path in _orphans(root):
        yield path, "of a machine that is gone"


def _orphans(root: Path) -> tuple[str, ...]:
    known = texts().keys() | pictures().keys()
    found = (str(path.relative_to(root)) for pattern in OWNED for path in sorted(root.glob(pattern)))
    return tuple(path for path in found if path not in known)


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _write(root: Path, wanted: Mapping[str, str]) -> None:
    graphviz = which("dot")
    if graphviz is None:
        raise click.ClickException("Graphviz draws the pictures, and its `dot` is not here. Install `graphviz`.")
    written = [path for path, text in wanted.items() if _put(root / path, text)]
    for path, (title, source) in pictures().items():
        if not is_drawn_from(_read(root / path) or "", source):
            _put(root / path, finish(_draw(graphviz, source), source=source, title=title))
            written.append(path)
    for path in _orphans(root):
        (root / path).unlink()
        written.append(f"{path} (removed)")
    click.echo("\n".join(written) or "Everything is as declared.")


def _put(path: Path, text: str) -> bool:
    """Write the file unless it already says this."""
    if _read(path) == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def _draw(graphviz: str, source: str) -> str:
    drawn = subprocess.run(  # noqa: S603  # a fixed command over text of our own
        (graphviz, "-Tsvg"), input=source, capture_output=True, check=True, text=True, encoding="utf-8"
    )
    return drawn.stdout
