"""`ems-admin demo`: a site to try everything on, with a real small EMS. Source: `site.md` 10."""

from __future__ import annotations

from pathlib import Path

import click

from ems_admin.cli.logs import configure_logs
from ems_admin.cli.operating import DemoOrder, announce, carried_out, operating


@click.command()
@click.option(
    "--root",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the demo lives; without it, ~/.local/share/ems-admin-demo. It is kept between runs.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True, help="0 takes a free one.")
@click.option("--engine", type=click.Choice(("native", "docker")), default="native", show_default=True)
@click.pass_context
def demo(context: click.Context, *, root: Path | None, port: int, engine: str) -> None:
    """Serve a demo site: three builds, and an EMS that really runs."""
    configure_logs()
    if engine == "docker":
        raise click.UsageError(
            "The demo runs its EMS without Docker. To try a site on Docker, install it as the README says."
        )
    order = DemoOrder(root=root or Path.home() / ".local/share/ems-admin-demo", listen=f"127.0.0.1:{port}")
    carried_out(lambda: operating(context).demo(order, announce))
