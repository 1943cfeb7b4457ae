"""Guided Setup: from a draft to the config. Source: `http.md` 5.3 (Guided Setup); `seed 000` 2.3."""

from __future__ import annotations

from typing import Any, Final

from attrs import field, frozen

from ems_admin.http.route import DRAFT, Asked, File, Granted, Nothing, Outside, get, post
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.config import mutation, preview, reading
from ems_admin.workflows.config.draft import BrokerItem, DeviceItem, Draft, ProposalRef
from ems_admin.workflows.config.merging import Choices, MergedDraft, merge_draft
from ems_admin.workflows.config.three_ways import Side

SETUP: Final = "/api/setup"


@frozen(kw_only=True)
class DraftBody:
    """The draft as the body of its own request."""

    devices: tuple[DeviceItem, ...]
    supported_grid_meter_count: int
    features: dict[str, bool]
    mqtt_proposals: tuple[ProposalRef, ...]
    mqtt_broker: BrokerItem
    mqtt_manual_devices: tuple[DeviceItem, ...]

    @property
    def draft(self) -> Draft:
        """The draft alone, without what the request says beside it."""
        return Draft(
            devices=self.devices,
            supported_grid_meter_count=self.supported_grid_meter_count,
            features=self.features,
            mqtt_proposals=self.mqtt_proposals,
            mqtt_broker=self.mqtt_broker,
            mqtt_manual_devices=self.mqtt_manual_devices,
        )


@frozen(kw_only=True)
class OwnedDraft(DraftBody):
    """A draft of a workflow."""

    setup_workflow_id: str | None = None


@frozen(kw_only=True)
class Mutation(OwnedDraft):
    """A draft that is to be carried out as it was shown."""

    config_preview_id: str | None = None
    overwrite: bool = False
    config_revision: Any = None
    """Accepted and ignored: the preview knows what it was made against."""

    @property
    def request(self) -> mutation.MutationRequest:
        """What the workflow is asked."""
        return mutation.MutationRequest(
            draft=self.draft,
            workflow_id=self.setup_workflow_id,
            preview_id=self.config_preview_id,
            overwrite=self.overwrite,
        )


@frozen(kw_only=True)
class Merge(DraftBody):
    """A draft that came too late, and what the person takes from either side."""

    baseline_revision: str | None = None
    choices: dict[str, Side] = field(factory=dict)
    take: Side | None = None

    @property
    def decided(self) -> Choices:
        """What the workflow is asked."""
        return Choices(base_revision=self.baseline_revision, fields=self.choices, take=self.take)


async def form(asked: Asked[Nothing, Nothing]) -> Granted[reading.ConfigForm]:
    """Schema, template and example of the selected build."""
    return Granted(await reading.config_form(asked.house))


async def status(asked: Asked[Nothing, Nothing]) -> Granted[reading.ConfigStatus]:
    """The revisions that there are."""
    return Granted(await reading.config_status(asked.house))


async def show(asked: Asked[OwnedDraft, Nothing]) -> Granted[preview.Previewed]:
    """Review a draft and issue its preview."""
    return Granted(await preview.preview(asked.house, asked.caller, asked.body.draft, asked.body.setup_workflow_id))


async def check(asked: Asked[DraftBody, Nothing]) -> Granted[preview.Reviewed]:
    """Review a draft."""
    return Granted(await reading.check(asked.house, asked.body.draft))


async def download(asked: Asked[DraftBody, Nothing]) -> File:
    """Give the config of a draft as a file."""
    data = await reading.download(asked.house, asked.body.draft)
    return File(data=data, content_type="application/json; charset=utf-8", name="config.json")


async def merge(asked: Asked[Merge, Nothing]) -> Granted[MergedDraft]:
    """A stale draft brought up to date."""
    return Granted(await merge_draft(asked.house, asked.body.draft, asked.body.decided))


async def write(asked: Asked[Mutation, Nothing]) -> Granted[mutation.Written]:
    """Keep the previewed config for the deployment (W2)."""
    return Granted(await mutation.write(asked.house, asked.caller, asked.body.request))


async def apply(asked: Asked[Mutation, Nothing]) -> Granted[mutation.Applied]:
    """Make the previewed config the live one (W1)."""
    return Granted(await mutation.apply(asked.house, asked.caller, asked.body.request))


ROUTES: Final = (
    get(f"{SETUP}/config/schema", "What a draft may hold, and what it starts from", form),
    get(f"{SETUP}/config/status", "The revisions of the generated and of the live config", status),
    post(
        f"{SETUP}/config-preview",
        "Review a draft and issue its preview",
        show,
        preview.PREVIEW_ROW,
        body=OwnedDraft,
        limit=DRAFT,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{SETUP}/config-preview/validate",
        "Review a draft and issue nothing",
        check,
        Outside.LOOKS,
        body=DraftBody,
        limit=DRAFT,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{SETUP}/config/download",
        "The config of a draft as a file",
        download,
        Outside.LOOKS,
        body=DraftBody,
        limit=DRAFT,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{SETUP}/config/merge",
        "A stale draft brought up to date",
        merge,
        Outside.LOOKS,
        body=Merge,
        limit=DRAFT,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{SETUP}/config/write",
        "Keep the previewed config for the deployment",
        write,
        mutation.WRITE_ROW,
        body=Mutation,
        limit=DRAFT,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{SETUP}/config/apply",
        "Make the previewed config the live one",
        apply,
        mutation.APPLY_ROW,
        body=Mutation,
        limit=DRAFT,
        scope=Scope.UPGRADE,
    ),
)
