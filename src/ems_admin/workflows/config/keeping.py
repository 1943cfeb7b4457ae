"""What the history is told of a commit, and who else is told: a line of the journal for each accepted edit.

The journal line bears the id of its commit. One that a start goes on with may be told twice, and is still one.
Source: `site.md` 1.7, 9 (Config history); the seam `config_commit`.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.reading import Absent, Unreadable
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.files import Content, FileReading
from ems_admin.workflows.ports.records import JournalLine

MACHINE: Final = "config_commit"


async def keep_replaced(house: House, live: FileReading, commit_id: str) -> None:
    """Keep the bytes that are about to be replaced, if nobody has yet: people edit the file by hand.

    Called under the config lock. Raises `RefusalError`; the live config is then still the old one.
    """
    if isinstance(live, Content):
        require(await house.history.keep_found(live.data, commit_id=commit_id))


async def keep_revision(house: House, intent: ConfigCommit, live: FileReading) -> None:
    """Keep the bytes that a commit has made live, and tell the journal whose they are.

    Called under the config lock. Raises `RefusalError`; the intent still owes it then.
    """
    if not isinstance(live, Content) or live.revision != intent.config.new:
        raise LookupError("what is kept is what the commit has written")
    outcome = await house.history.keep(live.data, path=intent.path, base=intent.config.old, commit_id=intent.commit_id)
    require(outcome)
    line = JournalLine(
        machine=MACHINE,
        key=intent.commit_id,
        trigger=intent.path,
        source=intent.config.old,
        target=intent.config.new,
        workflow_id=intent.workflow_id,
    )
    await house.journal.append(line)


async def bytes_of(house: House, revision: str | None) -> bytes | None:
    """Give the bytes of a revision that somebody went by; `None` when they are not there, or not good."""
    if revision is None:
        return None
    reading = await house.history.read(revision)
    return None if isinstance(reading, Absent | Unreadable) else reading.data
