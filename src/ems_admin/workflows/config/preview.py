"""The exact preview: a draft worked out to the byte, compared with what is live, and given a name.

Source: `seed 000` 2.3; `site.md` 11.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Absent, Unreadable
from ems_admin.machines.records.setup import GuidedSetup, ValidationEntry
from ems_admin.machines.setup.facts import ISSUE_PREVIEW, REVOKE_PREVIEW, IssueFacts, WorkflowFacts
from ems_admin.machines.values.fingerprints import DraftInput, draft_fingerprint
from ems_admin.workflows.authority import AuthorityRow, Demand, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.checks import findings
from ems_admin.workflows.config.compose import Composed, Proposal, compose
from ems_admin.workflows.config.diff import Diff, diff
from ems_admin.workflows.config.draft import Draft, checked, plain
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.builds import BuildFailure, Resources
from ems_admin.workflows.ports.files import Content, FileReading
from ems_admin.workflows.ports.records import RefusalError

PREVIEW_ROW: Final = AuthorityRow(demands=(Demand.WORKFLOW, Demand.NOT_ENDING, Demand.ADMIN_STAYS))


@frozen(kw_only=True)
class Reviewed:
    """A draft worked out: what it comes to, what stands against it, and what it would change."""

    composed: Composed
    fingerprint: str
    findings: tuple[ValidationEntry, ...]
    live_revision: str | None
    diff: Diff

    @property
    def ready(self) -> bool:
        """Whether nothing stands against writing it."""
        return not self.findings


@frozen(kw_only=True)
class Previewed:
    """What the person is shown, with the id by which it can be carried out when it is ready."""

    reviewed: Reviewed
    config_preview_id: str | None


async def preview(house: House, caller: Caller, draft: Draft, workflow_id: str | None) -> Previewed:
    """Review a draft and issue its preview; a draft that is not ready revokes the one issued before.

    Raises `RefusalError`: the workflow's own codes, `system_transition_in_progress` during a handover,
    `release_not_prepared`, `config_unreadable`.
    """
    async with under(house, caller, PREVIEW_ROW, workflow_id=workflow_id) as hold:
        reviewed = await review(house, draft, hold.setup)
        now = house.clock.now()
        if not reviewed.ready:
            await house.records.setup.decide(REVOKE_PREVIEW, WorkflowFacts(now=now, workflow_id=workflow_id), caller)
            return Previewed(reviewed=reviewed, config_preview_id=None)
        await _keep_baseline(house, reviewed)
        facts = IssueFacts(
            now=now,
            workflow_id=workflow_id,
            preview_id=house.ids.secret(),
            draft_fingerprint=reviewed.fingerprint,
            live_revision=reviewed.live_revision,
            prepared_config_sha256=reviewed.composed.sha256,
        )
        await house.records.setup.decide(ISSUE_PREVIEW, facts, caller)
        return Previewed(reviewed=reviewed, config_preview_id=facts.preview_id)


async def review(house: House, draft: Draft, setup: GuidedSetup | None) -> Reviewed:
    """Work a draft out against the selected build and the live config. Stores nothing, issues nothing."""
    build = await selected_resources(house, setup)
    proposals: tuple[Proposal, ...] = ()
    composed = compose(checked(draft), build.template, proposals)
    live = await house.config.config()
    return Reviewed(
        composed=composed,
        fingerprint=fingerprint(draft, proposals),
        findings=findings(draft, composed, build.schema, proposals),
        live_revision=revision_of(live),
        diff=diff(document(live), composed.config),
    )


async def _keep_baseline(house: House, reviewed: Reviewed) -> None:
    """Lay by what the draft was compared with: whoever comes too late is shown it beside what is live by then.

    It authorises nothing. A disk that has no room for it has none for the preview either, and says so there.
    """
    live = await house.config.config()
    if isinstance(live, Content) and live.revision == reviewed.live_revision:
        await house.history.lay_by(live.data)


async def selected_resources(house: House, setup: GuidedSetup | None) -> Resources:
    """Read the build that the workflow has selected. Raises `RefusalError` with `release_not_prepared`."""
    if setup is None or setup.selected_system_tag is None:
        raise RefusalError(Refusal(Code.RELEASE_NOT_PREPARED))
    build = await house.builds.resources(setup.selected_system_tag)
    if isinstance(build, BuildFailure):
        raise RefusalError(Refusal(build.code, detail=build.detail))
    return build


def fingerprint(draft: Draft, proposals: tuple[Proposal, ...]) -> str:
    """Tell this draft from every other one; proposals count by what they stand for."""
    words = plain(draft)
    resolved = {(p.id, p.broker_ref): p for p in proposals}
    return draft_fingerprint(
        DraftInput(
            devices=words["devices"],
            grid_meter_count=draft.supported_grid_meter_count,
            features=words["features"],
            mqtt_proposals=[
                {**ref, "device": plain_device(resolved.get((ref["id"], ref["broker_ref"])))}
                for ref in words["mqtt_proposals"]
            ],
            mqtt_broker=words["mqtt_broker"],
            mqtt_manual_devices=words["mqtt_manual_devices"],
        )
    )


def plain_device(proposal: Proposal | None) -> Mapping[str, Any] | None:
    """Give a resolved proposal as plain values; one that is no longer known as nothing."""
    return None if proposal is None else plain(proposal.device)


def revision_of(live: FileReading) -> str | None:
    """Give the revision of the live config, `None` when there is none. Raises `RefusalError` when it is unreadable."""
    match live:
        case Absent():
            return None
        case Unreadable():
            raise RefusalError(_unreadable(live))
        case content:
            return content.revision


def hash_of(live: FileReading) -> str | None:
    """Give the hash of the bytes, whether or not they say anything. Raises `RefusalError` where nobody has it."""
    return live.sha256 if isinstance(live, Unreadable) and live.sha256 is not None else revision_of(live)


def document(live: FileReading) -> Mapping[str, Any] | None:
    """Read the live config as JSON, to be compared with; `None` when there is none."""
    if isinstance(live, Absent):
        return None
    if isinstance(live, Unreadable):
        raise RefusalError(_unreadable(live))
    try:
        value = json.loads(live.data.decode("utf-8-sig"))
    except ValueError as error:
        # Anything may stand in a file that people edit: it is shown as what it is, and compared as a whole.
        raise RefusalError(Refusal(Code.CONFIG_UNREADABLE, detail="not_json")) from error
    return value if isinstance(value, dict) else {"": value}


def _unreadable(live: Unreadable) -> Refusal:
    """Say what is wrong with the file, and where: the byte that is none, the line, or the key (F07)."""
    return Refusal(Code.CONFIG_UNREADABLE, detail=live.fault, more={} if live.detail is None else {"at": live.detail})
