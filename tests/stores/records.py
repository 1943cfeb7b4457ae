"""Records to store: one of each kind, right in every field."""
# long because: one sample of each of fifteen records, a line a field.

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import attrs

from ems_admin.machines.records.build import (
    ArchiveRef,
    CatalogueEntry,
    Channel,
    HealthCheck,
    ImagePin,
    Manifest,
    Mount,
    MountSource,
    Program,
    Service,
    Stack,
)
from ems_admin.machines.records.config_commit import Change, ConfigCommit, WritePath
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.machines.records.installed import (
    DeployedImage,
    DeploymentMarker,
    EngineKind,
    KnownGood,
    NativeService,
    NativeServices,
    SelectedRelease,
    ServicePhase,
)
from ems_admin.machines.records.replacement import (
    Attempt,
    Body,
    Dispatch,
    Outcome,
    Run,
    UpdaterExit,
    Verified,
    WalkStep,
)
from ems_admin.machines.records.setup import (
    NO_CLEANUP,
    OWNER,
    ArtifactKind,
    Artifacts,
    ArtifactStatus,
    BaseRevision,
    Cleanup,
    CleanupEntry,
    CleanupState,
    GeneratedMetadata,
    GuidedSetup,
    Preview,
    WorkflowStatus,
)
from ems_admin.machines.records.transition import (
    RESUME_PATH,
    STATE_VERSION,
    TTL,
    AcceptedBy,
    AdminIdentity,
    CompatibilityMode,
    DigestKind,
    Mode,
    NextStep,
    ResourceStrategy,
    Stage,
    Transition,
)
from ems_admin.machines.records.upgrade import (
    AdminUpdateReason,
    AdminUpdateState,
    PendingAdminUpdate,
    SeenAdmin,
    UpgradeContext,
    UpgradeOptions,
)
from ems_admin.machines.upgrade.groundwork import sealed

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
WORKFLOW: Final = "w" * 43
OTHER_WORKFLOW: Final = "v" * 43
OPERATION: Final = "0" * 32
HASH: Final = "a" * 64
REVISION: Final = "b" * 40
_OWN: Final = f"workflows/guided-setup/{WORKFLOW}/generated"

BASE: Final = BaseRevision(expected_revision=None, expect_absent=True)

SETUP: Final = GuidedSetup(
    format_version=2,
    workflow_id=WORKFLOW,
    status=WorkflowStatus.ACTIVE,
    operation_id=OPERATION,
    transition_mode=Mode.FRESH_INSTALL,
    selected_system_tag="v1.2.0",
    preview=Preview(
        preview_id="p" * 43,
        draft_fingerprint=f"sha256:{HASH}",
        base_config_revision=BASE,
        prepared_config_sha256=HASH,
        issued_at=NOON,
    ),
    artifacts=Artifacts(
        generated_config=f"{_OWN}/config.json",
        generated_metadata=f"{_OWN}/config.meta.json",
        generated_preview_id="p" * 43,
        deployment_marker="state/.admin-deployment.json",
    ),
    cleanup=NO_CLEANUP,
    created_at=NOON,
    updated_at=NOON,
)

ENDED_SETUP: Final = attrs.evolve(
    SETUP,
    status=WorkflowStatus.ABANDONED,
    preview=None,
    cleanup=Cleanup(
        state=CleanupState.PENDING,
        attempted_at=NOON,
        failed_count=1,
        review_count=0,
        artifacts=(CleanupEntry(kind=ArtifactKind.WORKFLOW_DIRECTORY, status=ArtifactStatus.FAILED),),
    ),
)

METADATA: Final = GeneratedMetadata(
    format_version=2,
    owner=OWNER,
    workflow_id=WORKFLOW,
    preview_id="p" * 43,
    draft_fingerprint=f"sha256:{HASH}",
    base_config_revision=BaseRevision(expected_revision=HASH, expect_absent=False),
    prepared_config_sha256=HASH,
    recorded_at=NOON,
)

IDENTITY: Final = AdminIdentity(image="registry/admin:v1", digest=f"sha256:{HASH}", build_id="b-1", revision=REVISION)

TRANSITION: Final = Transition(
    state_version=STATE_VERSION,
    operation_id=OPERATION,
    mode=Mode.FRESH_INSTALL,
    stage=Stage.ADMIN_ALIGNED,
    system_tag="v1.2.0",
    build_id="b-1",
    revision=REVISION,
    admin_image=None,
    admin_digest=HASH,
    ems_image=None,
    ems_digest=HASH,
    digest_kind=DigestKind.PROGRAM_TREE,
    created_at=NOON,
    updated_at=NOON,
    expires_at=NOON + TTL,
    created_boot_id="boot",
    created_boottime=5.0,
    next_step=NextStep.VERIFY_RESOURCES,
    resume_path=RESUME_PATH,
    admin_alignment_required=False,
    request_fingerprint=HASH,
    compatibility_mode=CompatibilityMode.LOCAL,
    resource_strategy=ResourceStrategy.EMBEDDED,
    orchestrator_admin=IDENTITY,
    accepted_by=AcceptedBy(session="s", token=None),
    development_risk_acknowledged=False,
    development_risk_acknowledged_for_tag=None,
    failed_stage=None,
    resume_stage=None,
    error_code=None,
    error_message=None,
    admin_update_claimed_at=None,
    resources_claimed_at=NOON,
)

MARKER: Final = DeploymentMarker(
    release="v1.2.0",
    config_sha256=HASH,
    owner=OWNER,
    workflow_id=WORKFLOW,
    preview_id="p" * 43,
    images=(DeployedImage(service="ems", image=None, digest=HASH),),
    engine=EngineKind.NATIVE,
    workspace="data",
    puid=1000,
    pgid=1000,
    permissions_verified=True,
    prepared_at=NOON,
)

SELECTED: Final = SelectedRelease(tag="v1.2.0", source="catalogue Küche 🔋")

KNOWN_GOOD: Final = KnownGood(
    system_tag="v1.2.0",
    build_id="b-1",
    revision=REVISION,
    admin_image=None,
    admin_digest=HASH,
    admin_build_id="b-1",
    admin_revision=REVISION,
    ems_image=None,
    ems_digest=HASH,
    compatibility_mode=CompatibilityMode.MODERN_PAIRED,
    resource_strategy=ResourceStrategy.RELEASE_ARCHIVE,
    aligned_at=NOON,
    healthcheck_at=NOON,
)

UPGRADE: Final = sealed(
    UpgradeContext(
        format_version=3,
        operation_id=OPERATION,
        target_system_tag="v1.3.0",
        options=UpgradeOptions(
            backup=True,
            config_check=True,
            config_add_keys=False,
            pull_image=True,
            recreate=True,
            diagnostics=False,
            auto_rollback=True,
        ),
        request_fingerprint=HASH,
        backup_completed=True,
        backup_reference="backups/config/1.json",
        backup_verified=True,
        migration_required=False,
        migration_completed=False,
        migration_revision=None,
        integrity="",
    )
)

ADMIN_UPDATE: Final = PendingAdminUpdate(
    format_version=1,
    plan_id="0123456789abcdef",
    state=AdminUpdateState.PLANNED,
    target_system_tag="v1.3.0",
    current_admin=SeenAdmin(image=IDENTITY.image, digest=IDENTITY.digest, build_id="b-1", revision=REVISION),
    target_admin=IDENTITY,
    reason=AdminUpdateReason.DIGEST_CHANGED,
    operation_id=None,
    created_at=NOON,
    updated_at=NOON,
)

DISPATCH: Final = Dispatch(
    format_version=1,
    operation_id=OPERATION,
    transition_identity=HASH,
    attempts=(
        Attempt(
            number=1,
            container=f"ems-admin-updater-{OPERATION}-1",
            image=None,
            tries=1,
            outcome=Outcome.FAILED,
            code="replacement_updater_failed",
            exit=UpdaterExit(code=139, oom=False, log=("segmentation fault",)),
        ),
    ),
)

RUN: Final = Run(
    format_version=1,
    operation_id=OPERATION,
    attempt=1,
    container="c",
    entries=2,
    step=WalkStep.VERIFIED,
    step_at=NOON,
    snapshot="{}",
    predecessor=Body(id="1", image_id=None, name="admin"),
    successor=None,
    verified_at=Verified(at=NOON, published=True),
    code=None,
    exit_code=None,
    log=(),
)

CONFIG_COMMIT: Final = ConfigCommit(
    format_version=1,
    commit_id="0123456789abcdef",
    path=WritePath.SETUP_APPLY,
    config=Change(old=None, new=HASH),
    credentials=Change(old=HASH, new=None),
    backup=None,
    preview_id="p" * 43,
    workflow_id=WORKFLOW,
)

NATIVE: Final = NativeServices(
    format_version=1,
    services={
        "ems": NativeService(
            build_id="b-1",
            program_sha256=HASH,
            attempt="0123456789abcdef",
            pid=4711,
            start_ticks=99,
            boot_id="boot",
            port=8091,
            phase=ServicePhase.RUNNING,
            since=NOON,
        )
    },
)

CURRENT_ADMIN: Final = CurrentAdmin(
    format_version=1, build="b-2", previous="b-1", operation_id=OPERATION, changed_at=NOON
)

STACK: Final = Stack(
    format_version=1,
    services=(
        Service(
            name="ems",
            image=None,
            program="ems",
            after=(),
            command=("python", "-m", "ems"),
            environment={"LANG": "C"},
            mounts=(Mount(source=MountSource.CONFIG, to="/config", read_only=True),),
            port=8080,
            publish=0,
            health=HealthCheck(path="/health", interval_seconds=1, timeout_seconds=1, start_period_seconds=5),
            dashboard_path=None,
        ),
    ),
)

MANIFEST: Final = Manifest(
    format_version=1,
    system_tag="v1.2.0",
    channel=Channel.STABLE,
    revision=REVISION,
    build_id="b-1",
    built_at=NOON,
    admin=ImagePin(image=None, digest=None),
    ems=ImagePin(image=None, digest=None),
    compatibility_mode=CompatibilityMode.LOCAL,
    requires=HASH,
    stack="stack.json",
    config_template="template.json",
    config_schema="schema.json",
    programs={"ems": Program(directory="programs/ems", command=("run",), sha256=HASH)},
    files={"stack.json": HASH},
)

ENTRY: Final = CatalogueEntry(
    tag="v1.2.0",
    channel=Channel.RC,
    revision=REVISION,
    build_id="b-1",
    built_at=NOON,
    released_at=NOON,
    notes="",
    archive=ArchiveRef(path="system-build-v1.2.0.tar.gz", sha256=HASH, bytes=1),
)

ALL: Final[tuple[Any, ...]] = (
    SETUP,
    ENDED_SETUP,
    METADATA,
    TRANSITION,
    MARKER,
    SELECTED,
    KNOWN_GOOD,
    UPGRADE,
    ADMIN_UPDATE,
    DISPATCH,
    RUN,
    CONFIG_COMMIT,
    NATIVE,
    CURRENT_ADMIN,
    STACK,
    MANIFEST,
    ENTRY,
)
