"""Every code that the site Admin may answer, record or show, and nothing about what it means.

The sentences for people stand in `refusals.py`, the HTTP statuses in `http/replies.py`.
Source: `http.md` 5.6, `faults.md`.
"""
# long because: one vocabulary, a line a word.

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """A stable word for programs: it never changes its meaning, and never gets a second one."""

    # Incomplete requests
    MALFORMED_BODY = "malformed_body"
    UNSUPPORTED_FIELD = "unsupported_field"
    UNSUPPORTED_VALUE = "unsupported_value"
    CONFIRMATION_REQUIRED = "confirmation_required"
    RECOVERY_REASON_REQUIRED = "recovery_reason_required"
    WORKFLOW_FINGERPRINT_REQUIRED = "workflow_fingerprint_required"
    PASSWORD_REQUIRED = "password_required"
    PASSWORD_MISMATCH = "password_mismatch"
    CREDENTIAL_STAGING_FAILED = "credential_staging_failed"
    TRANSITION_STATE_WRITE_FAILED = "transition_state_write_failed"

    # Sign-in
    NOT_AUTHENTICATED = "not_authenticated"

    # Not allowed
    CSRF_FAILED = "csrf_failed"
    ORIGIN_REJECTED = "origin_rejected"
    INVALID_PASSWORD = "invalid_password"
    AUTH_NOT_CONFIGURED = "auth_not_configured"
    SETUP_CODE_REQUIRED = "setup_code_required"
    SETUP_CODE_INVALID = "setup_code_invalid"
    SECOND_FACTOR_REQUIRED = "second_factor_required"
    SECOND_FACTOR_INVALID = "second_factor_invalid"
    SCOPE_INSUFFICIENT = "scope_insufficient"

    # Unknown
    NOT_FOUND = "not_found"

    # Method
    METHOD_NOT_ALLOWED = "method_not_allowed"

    # Size
    BODY_TOO_LARGE = "body_too_large"

    # Validation
    VALIDATION_FAILED = "validation_failed"

    # Rate
    RATE_LIMITED = "rate_limited"

    # Outcomes that cannot be vouched for
    SETUP_TRANSITION_LINK_FAILED = "setup_transition_link_failed"
    SETUP_TRANSITION_LINK_UNRECONCILED = "setup_transition_link_unreconciled"
    TRANSITION_COMMIT_UNPROVABLE = "transition_commit_unprovable"
    TRANSITION_STAGE_COMMIT_UNPROVABLE = "transition_stage_commit_unprovable"
    ABANDON_CLEANUP_INCOMPLETE = "abandon_cleanup_incomplete"
    INTERNAL_ERROR = "internal_error"

    # An engine or source that cannot be asked
    DOCKER_SOCKET_NOT_MOUNTED = "docker_socket_not_mounted"
    DOCKER_PERMISSION_DENIED = "docker_permission_denied"
    DOCKER_DAEMON_UNREACHABLE = "docker_daemon_unreachable"
    SERVICE_MANAGER_UNREACHABLE = "service_manager_unreachable"
    RELEASE_SOURCE_UNREACHABLE = "release_source_unreachable"

    # Site and access
    SITE_LOCKED = "site_locked"
    AUTH_ALREADY_CONFIGURED = "auth_already_configured"
    AUTH_FILE_INVALID = "auth_file_invalid"
    WORK_IN_PROGRESS = "work_in_progress"
    JOB_NOT_CANCELLABLE = "job_not_cancellable"
    PLAN_UNKNOWN = "plan_unknown"
    OPERATION_PAYLOAD_MISMATCH = "operation_payload_mismatch"
    OPERATION_SEALED = "operation_sealed"

    # Setup authority
    SETUP_WORKFLOW_REQUIRED = "setup_workflow_required"
    SETUP_WORKFLOW_NOT_ACTIVE = "setup_workflow_not_active"
    SETUP_INTENT_REQUIRED = "setup_intent_required"
    SETUP_INTENT_EXPIRED = "setup_intent_expired"
    SETUP_INTENT_CONSUMED = "setup_intent_consumed"
    SETUP_INTENT_WORKFLOW_MISMATCH = "setup_intent_workflow_mismatch"
    SETUP_STATE_CHANGED = "setup_state_changed"
    SETUP_PREVIEW_REQUIRED = "setup_preview_required"
    SETUP_PREVIEW_MISMATCH = "setup_preview_mismatch"
    STALE_SETUP_CONFIG = "stale_setup_config"
    SETUP_OPERATION_IN_PROGRESS = "setup_operation_in_progress"
    SETUP_TRANSITION_OWNER_UNPROVEN = "setup_transition_owner_unproven"
    SETUP_TRANSITION_CONTEXT_MISMATCH = "setup_transition_context_mismatch"
    SETUP_ARTIFACT_REVIEW_REQUIRED = "setup_artifact_review_required"
    SETUP_ABANDON_REQUIRED = "setup_abandon_required"
    SETUP_CLEANUP_REQUIRED = "setup_cleanup_required"
    SETUP_RETURN_UNSUPPORTED = "setup_return_unsupported"
    CLEANUP_NOT_DISOWNABLE = "cleanup_not_disownable"
    TARGET_EXISTS = "target_exists"
    SYSTEM_ALIGNMENT_INCOMPLETE = "system_alignment_incomplete"
    SYSTEM_BUILD_ALIGNMENT_REQUIRED = "system_build_alignment_required"

    # Transition
    TRANSITION_ACTIVE = "transition_active"
    TRANSITION_CONTEXT_MISMATCH = "transition_context_mismatch"
    TRANSITION_STATUS_UNAVAILABLE = "transition_status_unavailable"
    OPERATION_MISMATCH = "operation_mismatch"
    NO_TRANSITION = "no_transition"
    NO_GUIDED_UPGRADE_TRANSITION = "no_guided_upgrade_transition"
    GUIDED_UPGRADE_CONTEXT_UNAVAILABLE = "guided_upgrade_context_unavailable"
    INVALID_TRANSITION = "invalid_transition"
    NOT_RESUMABLE = "not_resumable"
    EXPIRED = "expired"
    MUTATION_IN_PROGRESS = "mutation_in_progress"
    TRANSITION_WORKER_ACTIVE = "transition_worker_active"
    TRANSITION_WORKER_STATUS_UNAVAILABLE = "transition_worker_status_unavailable"
    TRANSITION_CANCEL_UNSUPPORTED = "transition_cancel_unsupported"
    SYSTEM_TRANSITION_IN_PROGRESS = "system_transition_in_progress"
    ADMIN_UPDATE_NOT_RUNNABLE = "admin_update_not_runnable"
    ADMIN_UPDATE_NOT_REQUIRED = "admin_update_not_required"
    ADMIN_UNVERIFIABLE = "admin_unverifiable"
    ADMIN_IDENTITY_MISMATCH = "admin_identity_mismatch"
    REPLACEMENT_ACTIVE = "replacement_active"
    INSTALL_STATE_UNAVAILABLE = "install_state_unavailable"
    INSTALL_ROOT_NOT_HOST_PATH = "install_root_not_host_path"
    KNOWN_GOOD_UNAVAILABLE = "known_good_unavailable"
    KNOWN_GOOD_MISMATCH = "known_good_mismatch"
    RUNNING_EMS_UNVERIFIABLE = "running_ems_unverifiable"
    ADMIN_ALREADY_MATCHES_RUNNING_EMS = "admin_already_matches_running_ems"

    # Read errors of B1
    STATE_UNREADABLE = "state_unreadable"
    STATE_MALFORMED = "state_malformed"
    UNSUPPORTED_STATE_VERSION = "unsupported_state_version"
    UNSUPPORTED_MODE = "unsupported_mode"
    INVALID_STAGE = "invalid_stage"
    STATE_TAMPERED = "state_tampered"

    # Lifecycle
    WORKFLOW_SWITCH_REQUIRED = "workflow_switch_required"
    WORKFLOW_OPERATION_IN_PROGRESS = "workflow_operation_in_progress"
    WORKFLOW_RECOVERY_REQUIRED = "workflow_recovery_required"
    WORKFLOW_SWITCH_BLOCKED = "workflow_switch_blocked"
    WORKFLOW_OWNER_UNKNOWN = "workflow_owner_unknown"
    WORKFLOW_OWNER_CONFLICT = "workflow_owner_conflict"
    WORKFLOW_STATE_MALFORMED = "workflow_state_malformed"
    WORKFLOW_LIFECYCLE_CHANGED = "workflow_lifecycle_changed"
    WORKFLOW_RECOVERY_UNSAFE = "workflow_recovery_unsafe"
    UNREADABLE_STATE = "unreadable_state"
    UNSUPPORTED_TRANSITION_MODE = "unsupported_transition_mode"
    UNUSABLE_UPGRADE_CONTEXT = "unusable_upgrade_context"
    SETUP_ARTIFACT_OWNER_MISMATCH = "setup_artifact_owner_mismatch"

    # Builds and upgrade
    SYSTEM_BUILD_UNKNOWN = "system_build_unknown"
    SYSTEM_BUILD_UNAVAILABLE = "system_build_unavailable"
    SYSTEM_BUILD_FLOATING = "system_build_floating"
    SYSTEM_BUILD_MISMATCH = "system_build_mismatch"
    SYSTEM_BUILD_RESOURCES_INVALID = "system_build_resources_invalid"
    SYSTEM_BUILD_VERIFICATION_REQUIRED = "system_build_verification_required"
    SYSTEM_BUILD_VERIFICATION_STALE = "system_build_verification_stale"
    UPGRADE_PLAN_STALE = "upgrade_plan_stale"
    MIGRATION_REVIEW_STALE = "migration_review_stale"

    # Deployment
    RELEASE_NOT_PREPARED = "release_not_prepared"
    GENERATED_CONFIG_MISSING = "generated_config_missing"
    GENERATED_CONFIG_REVIEW_REQUIRED = "generated_config_review_required"
    STALE_GENERATED_CONFIG = "stale_generated_config"
    RUNTIME_IDENTITY_MISSING = "runtime_identity_missing"
    EXISTING_INSTALL_CONFLICT = "existing_install_conflict"
    WORKSPACE_CONFLICT = "workspace_conflict"
    DEPLOYMENT_NOT_PREPARED = "deployment_not_prepared"
    DEPLOYMENT_WORKSPACE_MISSING = "deployment_workspace_missing"
    DEPLOYMENT_MARKER_INVALID = "deployment_marker_invalid"
    DEPLOYMENT_CONFIG_MISMATCH = "deployment_config_mismatch"
    CONTAINER_CONFLICT_CHANGED = "container_conflict_changed"
    CONTAINER_NOT_STOPPED = "container_not_stopped"
    SELECTED_IMAGE_MISSING = "selected_image_missing"

    # Config and backups
    CONFLICT = "conflict"
    CONFIG_COMMIT_UNPROVABLE = "config_commit_unprovable"
    LEGACY_CONFIG_MISSING = "legacy_config_missing"
    BACKUP_PASSWORD_REQUIRED = "backup_password_required"
    BACKUP_PASSWORD_INVALID = "backup_password_invalid"
    BACKUP_DAMAGED = "backup_damaged"

    # Replacement
    ADMIN_UPDATE_LAUNCH_FAILED = "admin_update_launch_failed"
    REPLACEMENT_NOT_DISPATCHED = "replacement_not_dispatched"

    # Job
    JOB_CANCELLED = "job_cancelled"

    # Engine
    IMAGE_PULL_RATE_LIMITED = "image_pull_rate_limited"
    IMAGE_PULL_NETWORK_ERROR = "image_pull_network_error"
    IMAGE_PULL_FAILED = "image_pull_failed"
    IMAGE_PULL_STALLED = "image_pull_stalled"
    IMAGE_UNAVAILABLE = "image_unavailable"
    CONTAINER_PORT_CONFLICT = "container_port_conflict"
    CONTAINER_NAME_CONFLICT = "container_name_conflict"
    EMS_START_FAILED = "ems_start_failed"
    EMS_NOT_RUNNING = "ems_not_running"
    WORKSPACE_PERMISSION_DENIED = "workspace_permission_denied"

    # EMS operation
    EMS_OPERATION_INTERRUPTED = "ems_operation_interrupted"
    EMS_IDENTITY_UNVERIFIABLE = "ems_identity_unverifiable"
    EMS_IDENTITY_MISMATCH = "ems_identity_mismatch"
    TRANSITION_STALE_FOR_SELECTED_BUILD = "transition_stale_for_selected_build"
    TRANSITION_ACTIVE_FOR_ANOTHER_BUILD = "transition_active_for_another_build"
    SYSTEM_BUILD_RECOVERY_REQUIRED = "system_build_recovery_required"
    SYSTEM_BUILD_TRANSITION_BLOCKED = "system_build_transition_blocked"
    SYSTEM_BUILD_RESOURCES_UNAVAILABLE = "system_build_resources_unavailable"
    SYSTEM_BUILD_ACTION_STATE_INVALID = "system_build_action_state_invalid"

    # Validation entries
    SCHEMA_VIOLATION = "schema_violation"
    DEVICE_IDENTITY_DUPLICATE = "device_identity_duplicate"
    NO_CONTROLLABLE_DEVICE = "no_controllable_device"
    GRID_METER_MISSING = "grid_meter_missing"
    TOO_MANY_ITEMS = "too_many_items"
    PROPOSAL_UNKNOWN = "proposal_unknown"

    # Warnings
    STORAGE_UNRELIABLE = "storage_unreliable"
    JOURNAL_NOT_WRITABLE = "journal_not_writable"
    DISK_NEARLY_FULL = "disk_nearly_full"
    DASHBOARD_UNREACHABLE = "dashboard_unreachable"
    CURRENT_ADMIN_UNUSABLE = "current_admin_unusable"

    # Field
    STATE_WRITE_FAILED = "state_write_failed"
    CONFIG_WRITE_FAILED = "config_write_failed"
    STATE_DIRECTORY_UNSAFE = "state_directory_unsafe"
    STATE_FILE_UNSAFE = "state_file_unsafe"
    CONFIG_FILE_NOT_REPLACEABLE = "config_file_not_replaceable"
    CONFIG_UNREADABLE = "config_unreadable"
    STARTUP_CHECK_FAILED = "startup_check_failed"
    ADMIN_DATA_NOT_WRITABLE = "admin_data_not_writable"
    CONFIG_NOT_WRITABLE = "config_not_writable"
    STATE_LOCK_UNAVAILABLE = "state_lock_unavailable"
    STATE_LOCK_BUSY = "state_lock_busy"
    CLOCK_NOT_PLAUSIBLE = "clock_not_plausible"
    KNOWN_GOOD_IMAGE_MISSING = "known_good_image_missing"
    OWN_CONTAINER_PROTECTED = "own_container_protected"
    ROLLBACK_NOT_POSSIBLE = "rollback_not_possible"
    UPGRADE_NOT_FORWARD = "upgrade_not_forward"
    STATE_COMMIT_UNPROVABLE = "state_commit_unprovable"
    CONFIG_REFERENCE_UNRESOLVED = "config_reference_unresolved"
    IMAGE_SMOKE_FAILED = "image_smoke_failed"
    IMAGE_DIGEST_MISMATCH = "image_digest_mismatch"
    IMAGE_PULL_DENIED = "image_pull_denied"
    REPLACEMENT_CONFIG_DRIFT = "replacement_config_drift"
    HEALTHCHECK_FAILED = "healthcheck_failed"
    REPLACEMENT_UPDATER_FAILED = "replacement_updater_failed"
    REPLACEMENT_START_FAILED = "replacement_start_failed"
    REPLACEMENT_ATTEMPTS_EXHAUSTED = "replacement_attempts_exhausted"
    OPERATION_STALLED = "operation_stalled"


def known_code(stored: str | None) -> Code | None:
    """Read a code out of a record; `None` for none, and for one of another version that has no word here."""
    return Code(stored) if stored in set(Code) else None
