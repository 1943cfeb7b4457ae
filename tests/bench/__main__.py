"""`python -m tests.bench`: time the durable step, the decision and the read model, and print one table."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from tests.bench import decision, durable, pages, sheet


def main() -> None:
    """Measure everything in this one process."""
    with tempfile.TemporaryDirectory(prefix="ems-admin-bench-", dir=_on_a_disk()) as root:
        place = Path(root)
        written = asyncio.run(durable.measure(place / "durable"))
        read = asyncio.run(pages.measure(place / "site"))
    sheet.show(written, decision.measure(), read)


def _on_a_disk() -> str | None:
    """Avoid a file system in memory: flushing it costs nothing."""
    var_tmp = Path("/var/tmp")  # by convention the one that is on a disk
    return str(var_tmp) if var_tmp.is_dir() else None


if __name__ == "__main__":
    main()
