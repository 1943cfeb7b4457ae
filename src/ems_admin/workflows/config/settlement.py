"""Settling a config commit that did not come to its end: forward, back, or not at all.

The files decide, by the hashes that the intent noted; no memory of how it broke off is needed. So the start after a
power cut and the next write in the same process settle alike. Source: the seam `config_commit`; `site.md` 4.
"""

from __future__ import annotations

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import Change, ConfigCommit
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.machines.seams import CONFIG_COMMIT_STANDING, CommitStanding, Live, Settlement, live
from ems_admin.machines.setup.facts import CONSUME_PREVIEW, PreviewFacts
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.keeping import keep_revision
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.files import ConfigStore, Content, FileReading, HeldConfig
from ems_admin.workflows.ports.records import JournalLine, RefusalError


async def settle(house: House) -> Settlement | None:
    """Settle what is open and say how; `None` when nothing is. What cannot be proven stays exactly as it is, shown.

    Raises `RefusalError` when a step of it cannot be made durable: it is then still open.
    """
    if isinstance(await house.records.config_commit.read(), Absent):
        return None
    async with house.config.hold() as held:
        reading = await house.records.config_commit.read()
        if isinstance(reading, Absent):
            return None
        settlement = Settlement.UNPROVABLE
        if not isinstance(reading, Unreadable):
            settlement = await _standing(held, reading.record)
            if settlement is not Settlement.UNPROVABLE:
                await _carry_out(house, held, reading.record, settlement)
    _show(house, settlement)
    await house.journal.append(JournalLine(machine="config_commit", key="", trigger="settle", target=settlement))
    return settlement


async def refuse_unsettled(house: House) -> None:
    """Settle what an earlier write left open. Raises `config_commit_unprovable` while nobody can tell how."""
    if await settle(house) is Settlement.UNPROVABLE:
        raise RefusalError(Refusal(Code.CONFIG_COMMIT_UNPROVABLE))


async def refuse_unprovable(house: House) -> None:
    """Look, without settling anything. Raises `config_commit_unprovable` where a write would meet it."""
    reading = await house.records.config_commit.read()
    if isinstance(reading, Absent):
        return
    if isinstance(reading, Unreadable) or await _standing(house.config, reading.record) is Settlement.UNPROVABLE:
        raise RefusalError(Refusal(Code.CONFIG_COMMIT_UNPROVABLE))


async def keep_live(house: House, caller: Caller) -> None:
    """Keep the live config and its secrets as they are, and drop the intent that nobody can prove.

    One that can be proven by now is settled as it should be. Raises `RefusalError`.
    """
    async with house.config.hold() as held:
        reading = await house.records.config_commit.read()
        if not isinstance(reading, Present):
            return
        settlement = await _standing(held, reading.record)
        if settlement is not Settlement.UNPROVABLE:
            await _carry_out(house, held, reading.record, settlement)
        else:
            await forget(house, held, reading.record)
    house.warnings.clear(Code.CONFIG_COMMIT_UNPROVABLE)
    line = JournalLine(
        machine="config_commit",
        key=reading.record.commit_id,
        trigger="settle_config_commit",
        target=settlement,
        workflow_id=reading.record.workflow_id,
        session=caller.session or caller.token,
    )
    await house.journal.append(line)


async def put_back(held: HeldConfig, intent: ConfigCommit) -> None:
    """Put the old secrets back, byte for byte. Raises `config_commit_unprovable` when they are not there to be put."""
    change = intent.credentials
    if standing_of(await held.credentials(), change) is not Live.NEW:
        return
    kept = await held.kept_credentials(intent.commit_id)
    if standing_of(kept, change) is not Live.OLD:
        raise RefusalError(Refusal(Code.CONFIG_COMMIT_UNPROVABLE, detail="credentials"))
    require(await held.write_credentials(kept.data if isinstance(kept, Content) else None))


async def forget(house: House, held: HeldConfig, intent: ConfigCommit) -> None:
    """Owe nothing any more: the kept secrets go first, for without the intent nobody would look for them."""
    require(await held.drop_kept_credentials(intent.commit_id))
    async with house.records.config_commit.hold() as record:
        require(await record.remove())


def standing_of(reading: FileReading, change: Change) -> Live:
    """Compare a file with what the intent noted for it."""
    match reading:
        case Absent():
            return live(None, change)
        case Content(revision=revision):
            return live(revision, change)
        case Unreadable(sha256=str() as seen):
            return live(seen, change)  # the bytes are known, whatever they say
        case Unreadable():
            return Live.UNREADABLE


async def _standing(files: HeldConfig | ConfigStore, intent: ConfigCommit) -> Settlement:
    standing = CommitStanding(
        config=standing_of(await files.config(), intent.config),
        credentials=standing_of(await files.credentials(), intent.credentials),
    )
    return CONFIG_COMMIT_STANDING.classify(standing)


async def _carry_out(house: House, held: HeldConfig, intent: ConfigCommit, settlement: Settlement) -> None:
    if settlement is Settlement.ROLL_BACK:
        await put_back(held, intent)
        await forget(house, held, intent)
        return
    await keep_revision(house, intent, await held.config())
    if intent.preview_id is not None and intent.workflow_id is not None:
        facts = PreviewFacts(now=house.clock.now(), workflow_id=intent.workflow_id, preview_id=intent.preview_id)
        # The workflow may have ended since: then there is no preview left to consume.
        await house.records.setup.told(CONSUME_PREVIEW, facts)
    await forget(house, held, intent)


def _show(house: House, settlement: Settlement) -> None:
    if settlement is Settlement.UNPROVABLE:
        house.warnings.show(Code.CONFIG_COMMIT_UNPROVABLE)
    else:
        house.warnings.clear(Code.CONFIG_COMMIT_UNPROVABLE)
