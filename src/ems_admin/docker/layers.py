"""How far the pull of an image has come, out of what the daemon says of each layer.

A layer is first downloaded and then unpacked, and on small machines the second takes as long as the first. What has
no size yet counts for nothing, so the sum may step back when a large layer is announced: what is shown never does.

Source: `site.md` 8; `faults.md` F22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import define, field, frozen

DOWNLOADED: Final = 0.6
"""The share of a layer that is done once it is here but not unpacked."""
MEGABYTE: Final = 1_000_000
LAST: Final = 99
"""Percent; the rest is told by looking whether the image is here."""

BEGINNING: Final = frozenset({"Pulling fs layer", "Waiting"})
DOWNLOADING: Final = "Downloading"
COMPLETE: Final = frozenset({"Verifying Checksum", "Download complete"})
EXTRACTING: Final = "Extracting"
HERE: Final = frozenset({"Pull complete", "Already exists"})


@frozen
class Layer:
    """One layer: its size in bytes as it is transferred, 0 while unknown, and the share of it that is done."""

    size: int = 0
    done: float = 0.0


@define
class Layers:
    """All layers of one pull. Mutable: it listens to the stream."""

    _layers: dict[str, Layer] = field(factory=dict)
    _shown: int = 0

    def take(self, line: Mapping[str, Any]) -> bool:
        """Take in one line of the stream; say whether anything has moved since the one before."""
        name, status = line.get("id"), line.get("status")
        if not isinstance(name, str) or not isinstance(status, str) or not _is_layer(name):
            return False
        before = self._layers.get(name)
        now = self._layers[name] = _moved(before or Layer(), status, line.get("progressDetail"))
        return now != before

    @property
    def percent(self) -> int:
        """0 to 99, never falling."""
        sizes = [layer.size for layer in self._layers.values() if layer.size]
        usual = sum(sizes) / len(sizes) if sizes else 1
        whole = sum(layer.size or usual for layer in self._layers.values())
        done = sum((layer.size or usual) * layer.done for layer in self._layers.values())
        self._shown = max(self._shown, min(LAST, int(100 * done / whole) if whole else 0))
        return self._shown

    @property
    def detail(self) -> str:
        """What a person reads beside it."""
        here = sum(layer.done >= 1 for layer in self._layers.values())
        size = sum(layer.size for layer in self._layers.values())
        came = sum(layer.size * min(1.0, layer.done / DOWNLOADED) for layer in self._layers.values())
        layers = f"{here} of {len(self._layers)} layers"
        return f"{layers}, {came / MEGABYTE:.1f} of {size / MEGABYTE:.1f} MB" if size else layers


def _is_layer(name: str) -> bool:
    """Tell the id of a layer from the tag or digest under which the daemon speaks of the image itself."""
    return len(name) == len("b669892a0fd3") and all(digit in "0123456789abcdef" for digit in name)


def _moved(before: Layer, status: str, progress: object) -> Layer:
    current, total = _counted(progress)
    size = before.size or total
    if status in HERE:
        return Layer(size, 1.0)
    if status in COMPLETE:
        return Layer(size, max(before.done, DOWNLOADED))
    share = min(1.0, current / total) if total else 0.0
    if status == EXTRACTING:
        return Layer(size, max(before.done, DOWNLOADED + (1 - DOWNLOADED) * share))
    if status == DOWNLOADING:
        # A download that begins anew after a lost connection has come less far than before.
        return Layer(total or size, DOWNLOADED * share if total else before.done)
    return before


def _counted(progress: object) -> tuple[int, int]:
    if not isinstance(progress, dict):
        return 0, 0
    current, total = progress.get("current"), progress.get("total")
    return (current, total) if isinstance(current, int) and isinstance(total, int) and total > 0 else (0, 0)
