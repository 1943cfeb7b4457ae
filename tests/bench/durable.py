"""A durable step against the bare act on the disk: what deciding, locking, encoding and telling cost on top.

Ours is one step of B1 through its ledger: hold the record's lock, read it, decide, encode, commit, tell the journal.
Bare is what no durable step can do without: write the same bytes into a new file, flush it, give it the record's
name, flush the folder. Both cross to a disk thread; the bare one exactly once.
"""

from __future__ import annotations

import os
import secrets
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from ems_admin import codec
from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import MARK_FAILED, RETRY, FailureFacts, RetryFacts, Updater
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Trigger
from ems_admin.machines.records.transition import Stage, Transition
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.stores.hints import Hints
from ems_admin.stores.host import HostClock
from ems_admin.stores.journal import JournalFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.stores.threads import DISK_THREADS
from ems_admin.workflows.ledger import Ledger, Settled
from ems_admin.workflows.ports.records import Committed, JournalLine
from tests.bench.pairs import Compared, Timed, in_turns, microseconds, quiet, timed
from tests.stores.records import NOON, OPERATION, TRANSITION

ROUNDS: Final = 1500
PARTS: Final = 600
"""Rounds of each part of the split."""

FAILURE: Final = FailureFacts(now=NOON, operation_id=OPERATION, code=Code.HEALTHCHECK_FAILED, message="no answer")
AGAIN: Final = RetryFacts(now=NOON, operation_id=OPERATION, expiry=Expiry.FRESH, updater=Updater.INACTIVE)
STEPS: Final[tuple[tuple[Trigger[Any], Any], ...]] = ((MARK_FAILED, FAILURE), (RETRY, AGAIN))
"""An operation that fails and is tried again for ever: each step changes the record, and the next one undoes it."""


@frozen(kw_only=True)
class Durable:
    """What a durable step costs, and where that goes."""

    compared: Compared
    parts: tuple[tuple[str, float], ...]
    """Name and microseconds at the median, each measured alone, in the same run."""
    record_bytes: int


async def measure(root: Path) -> Durable:
    """Measure below `root`, which lies on a real disk."""
    files = SiteFiles(admin_data=root)
    files.prepare()
    journal = JournalFile(admin_data=files.admin_data, clock=HostClock())
    ledger = ledger_of(files, journal)
    start = evolve(TRANSITION, resources_claimed_at=None)
    async with files.transition.hold() as held:
        assert await held.commit(start) == Committed()
    steps = cycle(STEPS)

    async def ours() -> None:
        trigger, facts = next(steps)
        assert isinstance(await ledger.attempt(trigger, facts), Settled)

    data = codec.encode(start)
    bare = partial(DISK_THREADS.run, partial(bare_replace, root / "state", data))
    compared = await in_turns(ours, bare, rounds=ROUNDS, between=journal.settled)
    return Durable(compared=compared, parts=await split(files, journal, start), record_bytes=len(data))


async def split(files: SiteFiles, journal: JournalFile, record: Transition) -> tuple[tuple[str, float], ...]:
    """Time each part of a step alone."""
    line = JournalLine(
        machine="system_alignment",
        key=OPERATION,
        trigger=RETRY.name,
        source=Stage.FAILED_RECOVERABLE,
        target=Stage.ADMIN_ALIGNED,
        operation_id=OPERATION,
    )

    async def lock() -> None:
        async with files.transition.hold() as held:
            await held.read()

    async def hop() -> None:
        await DISK_THREADS.run(int)

    async def decide() -> None:
        SYSTEM_ALIGNMENT.decide(record, MARK_FAILED, FAILURE)

    async def encode() -> None:
        codec.encode(record)

    parts: tuple[tuple[str, Timed], ...] = (
        ("lock and read", lock),
        ("decide", decide),
        ("encode", encode),
        ("thread hop", hop),
        ("telling the journal", partial(journal.append, line)),
        ("its writing, afterwards", journal.settled),
    )
    seconds: dict[str, list[float]] = {name: [] for name, _ in parts}
    with quiet():
        for _ in range(PARTS):
            for name, part in parts:
                seconds[name].append(await timed(part))
    return tuple((name, microseconds(times)) for name, times in seconds.items())


def ledger_of(files: SiteFiles, journal: JournalFile) -> Ledger[Transition]:
    """Tie B1 to its store and to a real journal, as a site does."""
    return Ledger(
        regions=SYSTEM_ALIGNMENT,
        store=files.transition,
        journal=journal,
        events=Hints(),
        key=lambda record: record.operation_id,
        unreadable=lambda _reading: Refusal(Code.TRANSITION_STATUS_UNAVAILABLE),
    )


def bare_replace(folder: Path, data: bytes) -> None:
    """Replace a file durably, with nothing around it."""
    target = folder / "bare.json"
    fresh = folder / f".bare.json.{secrets.token_hex(4)}.tmp"
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, data)
        os.fsync(file)
    finally:
        os.close(file)
    fresh.replace(target)
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(at)
    finally:
        os.close(at)
