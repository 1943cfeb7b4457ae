"""Walk a seam: perform its steps in the declared order, and no other.

What is performed for a step stands with the workflow; that every declared step has a performer, and none beside, is
proved at each walk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from ems_admin.machines.kernel import DeclarationError, Seam

Performers: TypeAlias = Mapping[str, Callable[[], Awaitable[None]]]


async def walk(seam: Seam, performers: Performers, *, after: str | None = None) -> None:
    """Perform every step of `seam`, or those that follow the step called `after`.

    A performer that cannot do its step raises `RefusalError`; the steps behind it are not begun.
    """
    names = [step.name for step in seam.steps]
    if set(names) != set(performers):
        raise DeclarationError(seam.name, [f"declared {names}, performed {list(performers)}"])
    steps = seam.steps if after is None else seam.after(after)
    for step in steps:
        await performers[step.name]()
