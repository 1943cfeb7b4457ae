"""The one way in which the live config is written: config and credentials together, or neither.

An intent with the hashes of both files is durable first; whoever finds it looks at the files and goes forward or back
(`settlement.py`). Source: the seam `config_commit`; `site.md` 4; `seed 000` 2.3 (06 to 08).
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable

from attrs import define, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import Change, ConfigCommit, WritePath
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.machines.seams import CONFIG_COMMIT
from ems_admin.workflows.config.compose import merged_credentials
from ems_admin.workflows.config.keeping import keep_replaced, keep_revision
from ems_admin.workflows.config.preview import hash_of, revision_of
from ems_admin.workflows.config.settlement import forget, put_back, refuse_unsettled
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.files import Content, FileReading, HeldConfig
from ems_admin.workflows.ports.records import Commit, NotCommitted, RefusalError
from ems_admin.workflows.seams import walk

COMMIT_FORMAT = 1


@frozen(kw_only=True)
class Order:
    """What is to be written, and what was reviewed for it."""

    path: WritePath
    data: bytes
    secrets: dict[str, dict[str, str]]
    base_revision: str | None
    """The live revision that was reviewed; `None` for absence."""
    backup: bool
    over_unreadable: bool = False
    """Whether bytes that say nothing may be replaced as well: reviewed by their hash, and set aside first."""
    preview_id: str | None = None
    workflow_id: str | None = None
    commit_id: str | None = None
    """Given where the commit has to be found again in the history; otherwise one is minted."""


async def commit_config(
    house: House,
    order: Order,
    *,
    when_stale: Callable[[], Awaitable[None]],
    when_live: Callable[[], Awaitable[None]] | None = None,
) -> str | None:
    """Write the config through the seam and give the name of the backup. Raises `RefusalError`, the files as they were.

    `when_stale` tells the owner of the review that the live config is another one by now; it raises. `when_live` is the
    bookkeeping that follows the new config, such as consuming its preview, where there is any.
    """
    await refuse_unsettled(house)
    async with house.config.hold() as held:
        walker = _Walk(house=house, held=held, order=order, when_stale=when_stale, when_live=when_live)
        await walker.prepare()
        try:
            await walk(
                CONFIG_COMMIT,
                {
                    "note_intent": walker.note_intent,
                    "stage_credentials": walker.stage_credentials,
                    "keep_replaced": walker.keep_replaced,
                    "replace_config": walker.replace_config,
                    "keep_revision": walker.keep_revision,
                    "consume_preview": walker.consume_preview,
                    "delete_intent": walker.delete_intent,
                },
            )
        except RefusalError as refused:
            if walker.config_is_live:
                # It is done. What is missing is bookkeeping: the intent owes it, to the next write or the next start.
                return walker.backup
            if refused.refusal.code is not Code.STATE_COMMIT_UNPROVABLE:
                await walker.roll_back()
            raise
        return walker.backup


@define(kw_only=True, eq=False)
class _Walk:
    """One commit under the config lock. Mutable: each step leaves what the next one goes on from."""

    house: House
    held: HeldConfig
    order: Order
    when_stale: Callable[[], Awaitable[None]]
    when_live: Callable[[], Awaitable[None]] | None
    intent: ConfigCommit | None = None
    new_credentials: bytes | None = None
    backup: str | None = None
    config_is_live: bool = False

    async def prepare(self) -> None:
        """Work out both files, and back the live config up if that was asked for: nothing is written over yet."""
        old = await self.held.config()
        await self._refuse_stale(old)
        stored = await self.held.credentials()
        if isinstance(stored, Unreadable):
            raise RefusalError(Refusal(Code.CREDENTIAL_STAGING_FAILED, detail=stored.fault))
        old_credentials = stored.data if isinstance(stored, Content) else None
        try:
            self.new_credentials = merged_credentials(old_credentials, self.order.secrets)
        except ValueError as error:
            raise RefusalError(Refusal(Code.CREDENTIAL_STAGING_FAILED, detail="not_json")) from error
        if self.order.backup and not isinstance(old, Absent):
            copy = self.held.back_up if isinstance(old, Content) else self.held.set_aside
            match await copy(self.order.path):
                case str() as name:
                    self.backup = name
                case outcome:
                    require(outcome)
        self.intent = ConfigCommit(
            format_version=COMMIT_FORMAT,
            commit_id=self.order.commit_id or self.house.ids.short(),
            path=self.order.path,
            config=Change(old=self._revision(old), new=hashlib.sha256(self.order.data).hexdigest()),
            credentials=Change(old=_sha256(old_credentials), new=_sha256(self.new_credentials)),
            backup=self.backup,
            preview_id=self.order.preview_id,
            workflow_id=self.order.workflow_id,
        )

    async def note_intent(self) -> None:
        """Make durable what is about to happen."""
        async with self.house.records.config_commit.hold() as held:
            require(await held.commit(self._intent))

    async def stage_credentials(self) -> None:
        """Keep the old secrets beside the store and write the new ones."""
        change = self._intent.credentials
        if change.old == change.new:
            return
        # One after the other: the new secrets are written only once the old ones are provably laid aside.
        _require_staged(await self.held.keep_credentials(self._intent.commit_id))
        _require_staged(await self.held.write_credentials(self.new_credentials))

    async def keep_replaced(self) -> None:
        """Look once more, under the lock, at what the review was about; and keep those bytes, whoever wrote them."""
        live_config = await self.held.config()
        await self._refuse_stale(live_config)
        await keep_replaced(self.house, live_config, self._intent.commit_id)

    async def replace_config(self) -> None:
        """Look a last time, for people edit the file without asking for the lock; then replace it."""
        await self._refuse_stale(await self.held.config())
        require(await self.held.write_config(self.order.data))
        self.config_is_live = True

    async def keep_revision(self) -> None:
        """Keep what is live now, and tell the journal."""
        written = Content(data=self.order.data, revision=hashlib.sha256(self.order.data).hexdigest())
        await keep_revision(self.house, self._intent, written)

    async def consume_preview(self) -> None:
        """Do the bookkeeping of the owner."""
        if self.when_live is not None:
            await self.when_live()

    async def delete_intent(self) -> None:
        """Owe nothing any more."""
        await forget(self.house, self.held, self._intent)

    async def roll_back(self) -> None:
        """Put both files back as they were, byte for byte, and drop the intent."""
        if isinstance(await self.house.records.config_commit.read(), Present):
            await put_back(self.held, self._intent)
            await forget(self.house, self.held, self._intent)

    async def _refuse_stale(self, live_config: FileReading) -> None:
        if self._revision(live_config) != self.order.base_revision:
            await self.when_stale()

    def _revision(self, live_config: FileReading) -> str | None:
        return hash_of(live_config) if self.order.over_unreadable else revision_of(live_config)

    @property
    def _intent(self) -> ConfigCommit:
        if self.intent is None:
            raise LookupError("a commit is prepared before it is walked")
        return self.intent


def _require_staged(outcome: Commit) -> None:
    if isinstance(outcome, NotCommitted):
        raise RefusalError(Refusal(Code.CREDENTIAL_STAGING_FAILED, detail=outcome.detail or outcome.code))
    require(outcome)


def _sha256(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()
