"""The committed picture of a machine, as it is sent to the console."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from ems_admin.machines.catalogue import BY_NAME


@cache
def diagram(name: str) -> str | None:
    """Give the SVG of a machine; `None` for an unknown machine, or where no picture was packed.

    It is read once: a picture changes with the code only.
    """
    if name not in BY_NAME:
        return None
    packed = files("ems_admin") / "diagrams" / f"{name}.svg"
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    committed = Path(__file__).resolve().parents[3] / "diagrams" / f"{name}.svg"
    return committed.read_text(encoding="utf-8") if committed.is_file() else None
