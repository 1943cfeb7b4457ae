"""The release of stale records: every one is copied, the copies are listed, and only then do the records go.

Nothing here can be named from outside: what goes is what the declared tables name, each below its own lock, and only
with the very bytes that the person was shown. Source: `seed 000` 7.4, 7.4.1; `site.md` 4; `faults.md` D1, D7, F04.
"""

from __future__ import annotations

from attrs import define, field, frozen

from ems_admin.machines.alignment.facts import Updater
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.recovery import Mode
from ems_admin.machines.lifecycle.release import PERMIT, OneUpdater, Permit
from ems_admin.machines.records.recovery import MANIFEST_VERSION, RecoveryManifest, ReleasedFile
from ems_admin.machines.seams import RELEASE
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.offering import StaleRecord, sha256_of, stale_records
from ems_admin.workflows.lifecycle.reading import fingerprint, store_of
from ems_admin.workflows.lifecycle.situation import Situation
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.engine import Activity
from ems_admin.workflows.ports.records import JournalLine, RefusalError
from ems_admin.workflows.ports.recovery import BackedUp
from ems_admin.workflows.seams import walk

ANY = {Activity.ACTIVE: Updater.RUNNING, Activity.INACTIVE: Updater.INACTIVE, Activity.UNKNOWN: Updater.UNKNOWN}


@frozen(kw_only=True)
class Released:
    """What was set aside, and where the copies lie; `folder` is `None` when there was nothing."""

    files: tuple[ReleasedFile, ...]
    folder: str | None


async def against_release(house: House, at: Situation) -> Refusal | None:
    """Say what keeps a release from going on until an Admin replacement is proven not to run.

    Where B1 names an operation it is that one's updater, and otherwise any; one that was never started counts.
    """
    seen = ANY[await house.engine.replacement_activity(at.live.operation_id if at.live else None)]
    permits = [PERMIT.classify(OneUpdater(updater)) for updater in (seen, at.updater)]
    refused = next((permit for permit in permits if permit is not Permit.GIVEN), None)
    return None if refused is None else Refusal(Code(refused))


@define(kw_only=True, eq=False)
class Releasing:
    """One walk of the seam `release`. Mutable, because each step goes on from what the one before has made."""

    house: House
    caller: Caller
    at: Situation
    mode: Mode
    reason: str
    folder: str | None = None
    files: list[ReleasedFile] = field(factory=list)

    @property
    def stale(self) -> tuple[StaleRecord, ...]:
        """What goes, in the order in which it goes."""
        return stale_records(self.house, self.at)

    async def back_up(self) -> None:
        """Copy every record, byte by byte, and hold each copy against what the person was shown."""
        folder = await self.house.recovery.open_folder(self.house.clock.now())
        if not isinstance(folder, str):
            raise RefusalError(Refusal(folder.code, detail=folder.detail))
        self.folder = folder
        for record in self.stale:
            copied = await self.house.recovery.back_up(record.name, folder)
            if copied is None or (isinstance(copied, BackedUp) and copied.sha256 != record.sha256):
                raise RefusalError(Refusal(Code.WORKFLOW_LIFECYCLE_CHANGED, detail=record.name))
            if not isinstance(copied, BackedUp):
                require(copied)
                continue
            self.files.append(
                ReleasedFile(name=record.name, reason=record.reason, sha256=copied.sha256, bytes=copied.bytes)
            )

    async def write_manifest(self) -> None:
        """List the copies: identity and hashes alone."""
        own = self.house.own
        manifest = RecoveryManifest(
            manifest_version=MANIFEST_VERSION,
            created_at=self.house.clock.now(),
            mode=self.mode,
            reason=self.reason,
            admin_revision=own.revision if own else None,
            lifecycle_fingerprint=fingerprint(self.at.reads),
            files=tuple(self.files),
        )
        require(await self.house.recovery.write_manifest(manifest, self.folder or ""))

    async def unlink(self) -> None:
        """Take each record away under its own lock, if it is still the one that was copied."""
        for record in self.stale:
            async with store_of(self.house, record.place).hold() as held:
                if sha256_of(await held.read()) != record.sha256:
                    raise RefusalError(Refusal(Code.WORKFLOW_LIFECYCLE_CHANGED, detail=record.name))
                require(await held.remove())
            await self._tell(record)

    async def _tell(self, record: StaleRecord) -> None:
        if record.place == "config_commit":
            self.house.warnings.clear(Code.CONFIG_COMMIT_UNPROVABLE)
        live = self.at.reads.transition_record
        line = JournalLine(
            machine="workflow_lifecycle",
            key=record.name,
            trigger="release",
            target=record.reason,
            operation_id=live.operation_id if live else None,
            session=self.caller.session or self.caller.token,
            detail=self.folder,
        )
        await self.house.journal.append(line)
        self.house.events.publish("workflow_lifecycle")


async def release(releasing: Releasing) -> Released:
    """Walk the seam. Raises `RefusalError`; what has not gone by then is still where it was, and stale as before."""
    await walk(
        RELEASE,
        {"back_up": releasing.back_up, "write_manifest": releasing.write_manifest, "unlink": releasing.unlink},
    )
    return Released(files=tuple(releasing.files), folder=releasing.folder)
