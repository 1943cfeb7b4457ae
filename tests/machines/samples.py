"""One System Alignment transition, as a test may want it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import attrs

from ems_admin.machines.alignment.facts import BeginFacts
from ems_admin.machines.alignment.writes import begin
from ems_admin.machines.records.transition import (
    AcceptedBy,
    AdminIdentity,
    CompatibilityMode,
    DigestKind,
    Mode,
    ResourceStrategy,
    Stage,
    Transition,
)

TEN: Final = datetime(2026, 1, 1, 10, tzinfo=UTC)

BEGINNING: Final = BeginFacts(
    now=TEN,
    operation_id="op1",
    mode=Mode.FRESH_INSTALL,
    system_tag="v2.0.0",
    build_id="b2",
    revision="r2",
    admin_image=None,
    admin_digest="a2",
    ems_image=None,
    ems_digest="e2",
    digest_kind=DigestKind.PROGRAM_TREE,
    boot_id="boot1",
    boottime=100.0,
    admin_alignment_required=False,
    request_fingerprint="f1",
    compatibility_mode=CompatibilityMode.MODERN_PAIRED,
    resource_strategy=ResourceStrategy.EMBEDDED,
    orchestrator_admin=AdminIdentity(image=None, digest="a1", build_id="b1", revision="r1"),
    accepted_by=AcceptedBy(session="s1", token=None),
    acknowledged_development_tag=None,
)


def operation(stage: Stage, mode: Mode = Mode.FRESH_INSTALL) -> Transition:
    """Make an operation that stands at a stage. One that failed did so while the resources were imported."""
    record = attrs.evolve(begin(attrs.evolve(BEGINNING, mode=mode)), stage=stage)
    if stage is not Stage.FAILED_RECOVERABLE:
        return record
    return attrs.evolve(
        record,
        failed_stage=Stage.ADMIN_ALIGNED,
        resume_stage=Stage.ADMIN_ALIGNED,
        error_code="system_build_resources_invalid",
    )
