"""What holds of the record of a Guided Setup on any walk whatsoever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from ems_admin.machines.cleanup import RemoveArtifacts, kinds
from ems_admin.machines.guided_setup import GUIDED_SETUP, RetireIntents, slots_fit
from ems_admin.machines.kernel import Answered, Decision, Refused, Trigger
from ems_admin.machines.preview import PreviewState, preview_state
from ems_admin.machines.records.setup import (
    NO_ARTIFACTS,
    ArtifactStatus,
    CleanupEntry,
    CleanupState,
    GuidedSetup,
    WorkflowStatus,
)
from ems_admin.machines.setup.facts import BEGIN, CHECK_MUTATION, LiveTransition, Moment

ALL_TRIGGERS: Final = (BEGIN, *GUIDED_SETUP.triggers)
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
FEW: Final = "1111111112"
"""So few words that guards often hold: a walk has to get somewhere."""


def words(kind: object) -> st.SearchStrategy[Any]:
    if kind is bool:
        return st.booleans()
    if kind is datetime:
        return st.integers(min_value=0, max_value=59).map(lambda minutes: NOON + timedelta(minutes=minutes))
    if kind is LiveTransition:
        return st.sampled_from((LiveTransition.NONE, LiveTransition.SETUP, LiveTransition.NONE, *LiveTransition))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return st.sampled_from(kind)
    if kind == tuple[CleanupEntry, ...]:
        entry = st.builds(CleanupEntry, **{f.name: words(f.type) for f in _fields(CleanupEntry)})
        return st.lists(entry, max_size=3, unique_by=lambda entry: entry.kind).map(tuple)
    return st.sampled_from(FEW) if kind is str else st.sampled_from(("1", "1", "1", "1", "2", None, None))


def _fields(kind: type[Any]) -> Any:
    return attrs.fields(attrs.resolve_types(kind))


def steps(trigger: Trigger[Any]) -> st.SearchStrategy[tuple[Trigger[Any], Any]]:
    facts = st.builds(trigger.facts, **{column.name: words(column.type) for column in _fields(trigger.facts)})
    return st.tuples(st.just(trigger), facts)


WALKS: Final = st.lists(st.one_of(*map(steps, ALL_TRIGGERS)), min_size=40, max_size=60)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(WALKS)
def test_on_any_walk_the_promises_hold(walk: list[tuple[Trigger[Any], Any]]) -> None:
    record: GuidedSetup | None = None
    for trigger, facts in walk:
        decision = GUIDED_SETUP.decide(record, trigger, facts)
        assert decision == GUIDED_SETUP.decide(record, trigger, facts), "the same question, another answer"
        if isinstance(decision, Refused):
            continue
        _the_end_is_the_end(record, trigger, decision.record)
        _nothing_is_carried_out_afterwards(decision.record)
        _claims_are_settled(decision.record)
        _effects_are_promised(decision)
        _time_is_told(record, decision.record, facts)
        assert slots_fit(decision.record), "its reader takes what is written"
        record = decision.record


def _the_end_is_the_end(before: GuidedSetup | None, trigger: Trigger[Any], after: GuidedSetup) -> None:
    if before and before.status is not WorkflowStatus.ACTIVE and trigger is not BEGIN:
        assert after.status is before.status, "what is over stays over"
    if before and trigger is not BEGIN:
        assert (after.workflow_id, after.created_at) == (before.workflow_id, before.created_at), "the owner stays"


def _nothing_is_carried_out_afterwards(record: GuidedSetup) -> None:
    if record.status is not WorkflowStatus.ACTIVE:
        assert record.preview is None, "what is over authorises nothing"
    if preview_state(record) is PreviewState.BOUND:
        assert record.preview is not None
        assert record.preview.preview_id == record.artifacts.generated_preview_id, "bound to what was written"
        assert record.artifacts.generated_config is not None


def _claims_are_settled(record: GuidedSetup) -> None:
    ended_early = record.status in {WorkflowStatus.ABANDONED, WorkflowStatus.SUPERSEDED}
    assert (record.cleanup.state is not CleanupState.NOT_REQUIRED) == ended_early, "whoever ends early cleans up"
    if record.cleanup.state is CleanupState.COMPLETE:
        assert record.artifacts == NO_ARTIFACTS, "what is settled claims nothing"
        assert (record.cleanup.failed_count, record.cleanup.review_count) == (0, 0)
    failed = kinds(record.cleanup.artifacts, ArtifactStatus.FAILED)
    assert record.cleanup.failed_count >= len(failed)


def _effects_are_promised(decision: Decision[GuidedSetup]) -> None:
    assert not isinstance(decision, Refused)
    record = decision.record
    for effect in decision.effects:
        match effect:
            case RemoveArtifacts(workflow_id):
                assert (workflow_id, record.cleanup.state) == (record.workflow_id, CleanupState.PENDING)
            case RetireIntents(workflow_id):
                assert workflow_id == record.workflow_id
                assert record.status is not WorkflowStatus.ACTIVE
            case _:
                raise AssertionError(effect)
    if isinstance(decision, Answered):
        assert decision.effects == (), "a refusal promises nothing"


def _time_is_told(before: GuidedSetup | None, after: GuidedSetup, facts: Moment) -> None:
    if before is not None and after != before:
        assert after.updated_at == facts.now, "a record that changes says when"


@settings(max_examples=50, deadline=None, derandomize=True)
@given(WALKS)
def test_a_mutation_is_only_ever_let_through_for_what_was_shown(walk: list[tuple[Trigger[Any], Any]]) -> None:
    record: GuidedSetup | None = None
    for trigger, facts in walk:
        decision = GUIDED_SETUP.decide(record, trigger, facts)
        if trigger is CHECK_MUTATION and not isinstance(decision, Refused | Answered):
            assert record is not None
            assert record.preview is not None
            shown = record.preview
            assert facts.workflow_id == record.workflow_id
            assert (facts.preview_id, facts.draft_fingerprint) == (shown.preview_id, shown.draft_fingerprint)
            assert facts.live_revision == shown.base_config_revision.expected_revision
            assert facts.prepared_config_sha256 == shown.prepared_config_sha256
            assert decision.record is record, "a check that passes changes nothing"
        record = record if isinstance(decision, Refused) else decision.record
