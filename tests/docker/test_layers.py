"""The progress of a pull is summed over its layers, and never falls."""

from __future__ import annotations

from typing import Any

from ems_admin.docker.layers import Layers

ONE, TWO = "b669892a0fd3", "0123456789ab"


def line(layer: str, status: str, current: int = 0, total: int = 0) -> dict[str, Any]:
    return {"id": layer, "status": status, "progressDetail": {"current": current, "total": total} if total else {}}


def told(*lines: dict[str, Any]) -> list[int]:
    layers = Layers()
    return [layers.percent for one in lines if layers.take(one)]


def test_a_layer_is_first_downloaded_then_unpacked() -> None:
    assert told(
        line(ONE, "Pulling fs layer"),
        line(ONE, "Downloading", 50, 100),
        line(ONE, "Download complete"),
        line(ONE, "Extracting", 50, 100),
        line(ONE, "Pull complete"),
    ) == [0, 30, 60, 80, 99]


def test_a_large_layer_that_is_announced_late_takes_nothing_back() -> None:
    percents = told(
        line(ONE, "Downloading", 10, 10),
        line(ONE, "Pull complete"),
        line(TWO, "Downloading", 1, 10_000),
        line(TWO, "Downloading", 10_000, 10_000),
    )
    assert percents == sorted(percents)
    assert percents[-1] < 100


def test_a_download_that_begins_anew_takes_nothing_back_and_counts_as_movement() -> None:
    layers = Layers()
    layers.take(line(ONE, "Downloading", 90, 100))
    before = layers.percent
    assert not layers.take(line(ONE, "Retrying in 5 seconds"))
    assert layers.take(line(ONE, "Downloading", 10, 100))
    assert layers.percent == before


def test_layers_that_are_here_already_are_done() -> None:
    layers = Layers()
    layers.take(line(ONE, "Already exists"))
    layers.take(line(TWO, "Downloading", 2_000_000, 4_000_000))
    assert layers.detail == "1 of 2 layers, 2.0 of 4.0 MB"


def test_the_daemon_speaking_of_the_image_itself_is_no_layer() -> None:
    layers = Layers()
    assert not layers.take({"id": "127.0.0.1:5000/ems@sha256:00", "status": "Pulling from ems"})
    assert not layers.take({"status": "Digest: sha256:00"})
    assert layers.detail == "0 of 0 layers"


def test_a_line_that_makes_no_sense_is_passed_over() -> None:
    layers = Layers()
    assert layers.take({"id": ONE, "status": "Downloading", "progressDetail": {"current": "x", "total": None}})
    assert layers.percent == 0
