"""The difference between two configs, as a person reads it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.values.fingerprints import is_secret_like

MASK: Final = "••••••"
"""What is shown in the place of a secret."""


@frozen(kw_only=True)
class Diff:
    """What would be added, removed and changed, by JSON pointer, and the same as text."""

    added: tuple[tuple[str, Any], ...]
    removed: tuple[tuple[str, Any], ...]
    changed: tuple[tuple[str, Any, Any], ...]
    text: str


def diff(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Diff:
    """Compare two configs; `None` stands for a config that is not there yet."""
    old = dict(_leaves("", masked(before))) if before is not None else {}
    new = dict(_leaves("", masked(after)))
    return Diff(
        added=tuple((pointer, new[pointer]) for pointer in new if pointer not in old),
        removed=tuple((pointer, old[pointer]) for pointer in old if pointer not in new),
        changed=tuple((p, old[p], new[p]) for p in new if p in old and old[p] != new[p]),
        text="\n".join(
            difflib.unified_diff(_lines(before), _lines(after), "running configuration", "after this step", lineterm="")
        ),
    )


def masked(value: Any) -> Any:
    """Give `value` with every secret replaced by dots."""
    if isinstance(value, Mapping):
        return {key: MASK if is_secret(key, inner) else masked(inner) for key, inner in value.items()}
    return [masked(inner) for inner in value] if isinstance(value, list | tuple) else value


def is_secret(key: str, value: Any) -> bool:
    """Say whether `value` is a secret; people write a password as a number as well, or several as a list."""
    return is_secret_like(key) and value is not None and not isinstance(value, bool | Mapping)


def _lines(config: Mapping[str, Any] | None) -> list[str]:
    return [] if config is None else json.dumps(masked(config), indent=2, ensure_ascii=False).splitlines()


def _leaves(pointer: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(f"{pointer}/{key}", inner)
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _leaves(f"{pointer}/{index}", inner)
    else:
        yield pointer, value
