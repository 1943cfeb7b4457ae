"""The order in which the services of a stack are started. Source: `site.md` 6 (Stack), 8 (start)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from ems_admin.machines.records.build import Service

T = TypeVar("T")


def ordered(things: Iterable[T], *, service_of: Callable[[T], Service]) -> tuple[T, ...]:
    """Order what stands for services so that each comes after what it names in `after`; a circle keeps its order."""
    left, done = list(things), list[T]()
    while left:
        waiting = {service_of(one).name for one in left}
        ready = next((one for one in left if not _has_to_wait(service_of(one), waiting)), left[0])
        left.remove(ready)
        done.append(ready)
    return tuple(done)


def _has_to_wait(service: Service, waiting: set[str]) -> bool:
    return bool(waiting & (set(service.after) - {service.name}))
