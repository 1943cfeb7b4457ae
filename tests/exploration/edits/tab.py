"""A tab of Guided Setup beside the others: it begins or goes on, applies or deploys, and mostly ends what it began."""

from __future__ import annotations

from collections.abc import Awaitable
from random import Random
from typing import Final, TypeVar

from attrs import define, field

from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.transition import Mode
from ems_admin.workflows.arbiter.start_path import Choice, start_path
from ems_admin.workflows.config.draft import Draft
from ems_admin.workflows.config.merging import merge_draft
from ems_admin.workflows.config.mutation import MutationRequest, apply, write
from ems_admin.workflows.config.preview import preview
from ems_admin.workflows.deployment.prepare import prepare
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup import system_build
from ems_admin.workflows.setup.abandon import abandon
from tests.exploration.edits.people import Accepted, Told, decided, heard, later
from tests.memory.house import TAG
from tests.workflows.places import secret_draft
from tests.workflows.scene import Scene

T = TypeVar("T")

DEPLOYS: Final = 0.3
GOES_ON: Final = 0.3
ENDS: Final = 0.8
"""How often it deploys instead of applying, goes beyond the first door, and ends what it has begun."""
WHO: Final = "tab"


@define
class Tab:
    """One tab. Mutable: it keeps what it was given, also over a restart of the Admin."""

    scene: Scene
    told: Told
    chance: Random
    workflow_id: str | None
    shown: tuple[str, str | None] | None
    """The preview that is on the page, and the live revision that it was compared with."""
    draft: Draft = field(factory=lambda: secret_draft("Setup"))

    async def walk(self) -> None:
        """Go on from the preview that is shown, or begin at the first door."""
        await later(self.chance)
        if self.shown is not None or (await self._opened() and await self._shown_anew()):
            await (self._deploy() if self.chance.random() < DEPLOYS else self._apply())
        if self.workflow_id is not None and self.chance.random() < ENDS:
            await later(self.chance)
            if await self._heard(abandon(self.scene.house, self.scene.caller, self.workflow_id)) is not None:
                self.workflow_id = self.shown = None

    async def _opened(self) -> bool:
        """Go through the first door, and mostly no further: other pages do more on the way."""
        house, caller = self.scene.house, self.scene.caller
        door = await self._heard(start_path(house, caller, Choice.SETUP_NEW, confirm=True))
        if door is None:
            return False
        self.workflow_id = door.setup_workflow_id
        if self.chance.random() >= GOES_ON:
            return False
        asking = system_build.prepare_build(
            house,
            caller,
            system_build.PREPARE,
            tag=TAG,
            workflow_id=self.workflow_id or "",
            intent_id=door.setup_intent_id or "",
            mode=Mode.FRESH_INSTALL,
        )
        job = await self._heard(asking)
        return job is not None and await self._ended(job)

    async def _apply(self) -> None:
        for _ in range(2):
            if self.shown is None:
                return
            preview_id, base = self.shown
            self.shown = None
            try:
                done = await apply(self.scene.house, self.scene.caller, self._request(preview_id))
            except RefusalError as refused:
                self.told.no(WHO, refused.refusal)
                if refused.refusal.code is not Code.STALE_SETUP_CONFIG:
                    return
                choices = decided(self.chance, refused.refusal, base)
                merged = await self._heard(merge_draft(self.scene.house, self.draft, choices))
                self.draft = merged.draft if merged else self.draft
                await self._shown_anew()
                continue
            self._accepted(WritePath.SETUP_APPLY, base, done.revision)
            return

    async def _deploy(self) -> None:
        if self.shown is None:
            return
        preview_id, base = self.shown
        written = await self._heard(write(self.scene.house, self.scene.caller, self._request(preview_id)))
        if written is None:
            return
        await later(self.chance)
        job = await self._heard(prepare(self.scene.house, self.scene.caller, self.workflow_id, overwrite=True))
        if job is not None and await self._ended(job):
            self._accepted(WritePath.SETUP_DEPLOY, base, written.revision)

    async def _shown_anew(self) -> bool:
        shown = await self._heard(preview(self.scene.house, self.scene.caller, self.draft, self.workflow_id))
        if shown is None or shown.config_preview_id is None:
            return False
        self.shown = shown.config_preview_id, shown.reviewed.live_revision
        return True

    def _request(self, preview_id: str) -> MutationRequest:
        return MutationRequest(draft=self.draft, workflow_id=self.workflow_id, preview_id=preview_id, overwrite=True)

    def _accepted(self, path: WritePath, base: str | None, revision: str) -> None:
        self.told.accepted.append(Accepted(who=WHO, path=path, base=base, revision=revision, fields=None))

    async def _heard(self, work: Awaitable[T]) -> T | None:
        return await heard(self.told, WHO, work)

    async def _ended(self, job: Job) -> bool:
        if job.task is not None:
            await job.task.wait()
        if job.error is not None:
            self.told.no(WHO, job.error)
        return job.error is None
