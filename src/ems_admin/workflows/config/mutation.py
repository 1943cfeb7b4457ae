"""Carrying a preview out: apply it to the live config (W1), or write it as the generated config of the workflow (W2).

Source: `seed 000` 2.3; `site.md` 1.12, 1.14.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

from attrs import define, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.preview import base
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.reading import Absent
from ems_admin.machines.records.setup import METADATA_FORMAT, OWNER, GeneratedMetadata, GuidedSetup
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.seams import WRITE
from ems_admin.machines.setup.facts import (
    BIND_WRITTEN,
    CHECK_MUTATION,
    COMMIT_FOUND_STALE,
    CONSUME_PREVIEW,
    MutationFacts,
    PreviewFacts,
    WrittenFacts,
)
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.commit import Order, commit_config
from ems_admin.workflows.config.compose import credentials_of
from ems_admin.workflows.config.draft import Draft
from ems_admin.workflows.config.preview import (
    Reviewed,
    fingerprint,
    review,
)
from ems_admin.workflows.config.settlement import refuse_unsettled
from ems_admin.workflows.config.staleness import stale
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.records import Committed, RefusalError
from ems_admin.workflows.seams import walk

DEMANDS: Final = (
    Demand.WORKFLOW,
    Demand.CLAIM,
    Demand.OWNERSHIP,
    Demand.PREVIEW,
    Demand.RESOURCES,
    Demand.TARGET,
)
WRITE_ROW: Final = AuthorityRow(demands=DEMANDS, claim=WorkKind.CONFIG_WRITE)
APPLY_ROW: Final = AuthorityRow(demands=DEMANDS, claim=WorkKind.CONFIG_APPLY)


@frozen(kw_only=True)
class MutationRequest:
    """What the request presents."""

    draft: Draft
    workflow_id: str | None
    preview_id: str | None
    overwrite: bool


@frozen(kw_only=True)
class Applied:
    """The live config is the reviewed one."""

    revision: str
    backup: str | None


@frozen(kw_only=True)
class Written:
    """The generated config of the workflow is the reviewed one."""

    revision: str
    config_preview_id: str


async def apply(house: House, caller: Caller, request: MutationRequest) -> Applied:
    """Apply a preview to the live config (W1) and consume it. Raises `RefusalError`; every byte is then as it was."""
    carry = _CarryOut(request=request)
    own = {Demand.PREVIEW: carry.preview_is_exact, Demand.TARGET: carry.live_config_may_go}
    async with under(house, caller, APPLY_ROW, workflow_id=request.workflow_id, own=own):
        reviewed, preview_id = carry.reviewed, request.preview_id or ""
        facts = PreviewFacts(now=house.clock.now(), workflow_id=request.workflow_id, preview_id=preview_id)

        async def found_stale() -> None:
            await carry.asked(house, house.records.setup.decide(COMMIT_FOUND_STALE, facts, caller))

        async def consume() -> None:
            await house.records.setup.decide(CONSUME_PREVIEW, facts, caller)

        order = Order(
            path=WritePath.SETUP_APPLY,
            data=reviewed.composed.data,
            secrets={ref: dict(entry) for ref, entry in reviewed.composed.secrets.items()},
            base_revision=reviewed.live_revision,
            backup=True,
            preview_id=preview_id,
            workflow_id=request.workflow_id,
        )
        backup = await commit_config(house, order, when_stale=found_stale, when_live=consume)
        return Applied(revision=reviewed.composed.sha256, backup=backup)


async def write(house: House, caller: Caller, request: MutationRequest) -> Written:
    """Write a preview as the workflow's generated config (W2) and bind it. Raises `RefusalError`."""
    carry = _CarryOut(request=request)
    own = {Demand.PREVIEW: carry.preview_is_exact, Demand.TARGET: carry.generated_config_may_go}
    async with under(house, caller, WRITE_ROW, workflow_id=request.workflow_id, own=own) as hold:
        reviewed, preview_id = carry.reviewed, request.preview_id or ""
        files, workflow_id = house.setup_files, hold.setup.workflow_id

        async def write_config() -> None:
            require(await files.write_generated_config(workflow_id, reviewed.composed.data))

        async def write_metadata() -> None:
            metadata = GeneratedMetadata(
                format_version=METADATA_FORMAT,
                owner=OWNER,
                workflow_id=workflow_id,
                preview_id=preview_id,
                draft_fingerprint=reviewed.fingerprint,
                base_config_revision=base(reviewed.live_revision),
                prepared_config_sha256=reviewed.composed.sha256,
                recorded_at=house.clock.now(),
            )
            require(await files.write_generated_metadata(workflow_id, metadata))
            # Behind the sidecar: from there on the pair is deployed only once it is bound, secrets and all.
            await stage_secrets(house, workflow_id, reviewed)

        async def bind_artifacts() -> None:
            directory = f"workflows/guided-setup/{workflow_id}/generated"
            facts = WrittenFacts(
                now=house.clock.now(),
                workflow_id=workflow_id,
                preview_id=preview_id,
                generated_config=f"{directory}/config.json",
                generated_metadata=f"{directory}/config.meta.json",
            )
            await house.records.setup.decide(BIND_WRITTEN, facts, caller)

        await walk(
            WRITE,
            {"write_config": write_config, "write_metadata": write_metadata, "bind_artifacts": bind_artifacts},
        )
        return Written(revision=reviewed.composed.sha256, config_preview_id=preview_id)


async def stage_secrets(house: House, workflow_id: str, reviewed: Reviewed) -> None:
    """Lay the secrets of a generated config beside it, and no older ones: its deployment makes them the EMS's own."""
    secrets = reviewed.composed.secrets
    if not secrets and isinstance(await house.setup_files.generated_credentials(workflow_id), Absent):
        return
    outcome = await house.setup_files.write_generated_credentials(workflow_id, credentials_of(secrets))
    if not isinstance(outcome, Committed):
        raise RefusalError(Refusal(Code.CREDENTIAL_STAGING_FAILED))


@define(kw_only=True, eq=False)
class _CarryOut:
    """The checks that write and apply have of their own. Mutable: the draft is worked out once, on the way."""

    request: MutationRequest
    found: Reviewed | None = None
    base_revision: str | None = None
    """What the preview was compared with. It is revoked when it turns out stale, and would be forgotten with it."""

    @property
    def reviewed(self) -> Reviewed:
        """The draft as it was worked out under the claim."""
        if self.found is None:
            raise LookupError("the preview is checked before it is carried out")
        return self.found

    async def preview_is_exact(self, hold: Hold) -> None:
        """Work the draft out once more and ask the machine: checks 02 to 05."""
        try:
            self.found = await review(hold.house, self.request.draft, hold.setup)
        except RefusalError:
            self._refuse_unnamed(hold)
            raise
        facts, shown = self._facts(hold, self.found), hold.setup.preview
        self.base_revision = shown.base_config_revision.expected_revision if shown else None
        deciding = hold.house.records.setup.decide(CHECK_MUTATION, facts, hold.caller)
        hold.stored = await self.asked(hold.house, deciding)

    async def asked(self, house: House, deciding: Awaitable[GuidedSetup]) -> GuidedSetup:
        """Ask the machine; where it finds the review stale, show what was reviewed, what is live and what was meant."""
        try:
            return await deciding
        except RefusalError as refused:
            if refused.refusal.code is not Code.STALE_SETUP_CONFIG:
                raise
            meant = self.reviewed.composed.config
            raise await stale(house, refused.refusal, meant, base_revision=self.base_revision) from refused

    def _refuse_unnamed(self, hold: Hold) -> None:
        """Say first that the preview is missing or another one, also when the draft could not be worked out.

        Only asked, and not committed: what could not be read revokes nothing.
        """
        decision = GUIDED_SETUP.decide(hold.setup, CHECK_MUTATION, self._facts(hold, None))
        if isinstance(decision, Refused):
            raise RefusalError(decision.refusal)

    def _facts(self, hold: Hold, found: Reviewed | None) -> MutationFacts:
        return MutationFacts(
            now=hold.house.clock.now(),
            workflow_id=self.request.workflow_id,
            preview_id=self.request.preview_id,
            draft_fingerprint=found.fingerprint if found else fingerprint(self.request.draft, ()),
            live_revision=found.live_revision if found else None,
            prepared_config_sha256=found.composed.sha256 if found else "",
        )

    async def live_config_may_go(self, hold: Hold) -> None:
        """Overwrite a live config only when the person agreed to it."""
        await refuse_unsettled(hold.house)
        if not self.request.overwrite and not isinstance(await hold.house.config.config(), Absent):
            raise RefusalError(Refusal(Code.TARGET_EXISTS, detail="config/config.json"))

    async def generated_config_may_go(self, hold: Hold) -> None:
        """Overwrite a bound config only when the person agreed; the leftover of a crash stands in nobody's way."""
        bound = hold.setup.artifacts.generated_config
        existing = await hold.house.setup_files.generated_config(hold.setup.workflow_id)
        if bound is not None and not self.request.overwrite and not isinstance(existing, Absent):
            raise RefusalError(Refusal(Code.TARGET_EXISTS, detail=bound))
