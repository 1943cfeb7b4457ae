"""What must be true of a hammered site at every instant, and of its journal in the end."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from pathlib import Path
from typing import Any

from attrs import define, field

from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.records.reading import Present, Unreadable
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.stores.site_files import SiteFiles

PAUSE = 0.01


@define
class Watch:
    """Reads every record over and over. Mutable: it collects what it should never see."""

    files: SiteFiles
    faults: list[str] = field(factory=list)
    looks: int = 0
    ended: threading.Event = field(factory=threading.Event)

    def run(self) -> None:
        while not self.ended.wait(PAUSE):
            self.look()

    def look(self) -> None:
        self.looks += 1
        for record in self.files.all:
            reading = record.look()
            if isinstance(reading, Unreadable):
                self.faults.append(f"{record.name}: {reading.fault} {reading.detail}")


def lines_of(admin_data: Path) -> list[dict[str, Any]]:
    """Give the whole journal, oldest first."""
    files = sorted((admin_data / "state").glob("journal*.jsonl*"), key=lambda path: path.stat().st_mtime_ns)
    lines = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return sorted(lines, key=lambda line: int(line["sequence"]))


def gaps(lines: list[dict[str, Any]]) -> list[str]:
    """Name what the journal does not tell: a missing number, a step from where nobody had come."""
    numbers = [line["sequence"] for line in lines]
    faults = [] if numbers == list(range(numbers[0], numbers[0] + len(numbers))) else ["numbers are missing"]
    places: dict[tuple[str, str], str] = {}
    told = {machine.name for regions in (GUIDED_SETUP, SYSTEM_ALIGNMENT) for machine in regions.machines}
    for line in lines:
        key = line["machine"], line["key"]
        if line["machine"] not in told or line.get("to") is None:
            continue
        if line.get("from") is not None and places.get(key, line["from"]) != line["from"]:
            faults.append(f"{key} was at {places[key]}, and then moved from {line['from']} by {line['trigger']}")
        places[key] = line["to"]
    return faults


def last_place(lines: list[dict[str, Any]], machine: str, key: str) -> str | None:
    """Say where the journal leaves a machine."""
    places = [line["to"] for line in lines if (line["machine"], line["key"]) == (machine, key) and line.get("to")]
    return places[-1] if places else None


def untold(lines: list[dict[str, Any]], files: SiteFiles) -> list[str]:
    """Name the records that stand elsewhere than where the journal leaves them."""
    faults = []
    for name, key_of, regions in (
        ("setup", "workflow_id", GUIDED_SETUP),
        ("transition", "operation_id", SYSTEM_ALIGNMENT),
    ):
        reading = getattr(files, name).look()
        if not isinstance(reading, Present):
            continue
        machine, key = regions.machines[0], getattr(reading.record, key_of)
        stands, told = str(machine.reads(reading.record)), last_place(lines, machine.name, key)
        if stands != told:
            faults.append(f"{name} {key} stands at {stands}, and was last told at {told}")
    return faults


def begun(lines: list[dict[str, Any]]) -> dict[str, set[str]]:
    """Give every key that the journal tells of, by machine."""
    keys: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        keys[line["machine"]].add(line["key"])
    return keys
