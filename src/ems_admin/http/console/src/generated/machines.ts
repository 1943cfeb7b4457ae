// Written by `make diagrams` from src/ems_admin/machines. Do not edit.
// long because: it lists every word of every machine

export type GuidedSetupState =
  | "active"
  | "abandoned"
  | "superseded"
  | "completed";

export type GuidedSetupTrigger =
  | "begin"
  | "prove_ownership"
  | "select_build"
  | "link_operation"
  | "restore_link"
  | "issue_preview"
  | "revoke_preview"
  | "check_mutation"
  | "bind_written"
  | "consume_preview"
  | "commit_found_stale"
  | "claim_marker"
  | "complete"
  | "abandon"
  | "supersede"
  | "retry_cleanup"
  | "disown";

export type PreviewState =
  | "none"
  | "issued"
  | "bound";

export type PreviewTrigger =
  | "issue_preview"
  | "revoke_preview"
  | "check_mutation"
  | "bind_written"
  | "consume_preview"
  | "commit_found_stale"
  | "complete"
  | "abandon"
  | "supersede";

export type CleanupState =
  | "not_required"
  | "pending"
  | "complete"
  | "review_required";

export type CleanupTrigger =
  | "abandon"
  | "supersede"
  | "cleanup_ran"
  | "retry_cleanup"
  | "disown"
  | "reconcile_review";

export type SystemAlignmentState =
  | "admin_update_pending"
  | "admin_reconnect_pending"
  | "admin_aligned"
  | "resources_verified"
  | "ems_operation_pending"
  | "ems_operation_running"
  | "healthcheck_pending"
  | "failed_recoverable"
  | "completed"
  | "cancelled";

export type SystemAlignmentTrigger =
  | "begin"
  | "hand_over"
  | "claim_admin_update"
  | "end_unclaimed_updater"
  | "resume_after_admin_reconnect"
  | "claim_resource_verification"
  | "resources_verified"
  | "request_ems_operation"
  | "start_ems_operation"
  | "ems_started"
  | "recover_ems_operation"
  | "request_healthcheck"
  | "healthchecked"
  | "mark_failed"
  | "resume"
  | "retry"
  | "resolve_container_conflict"
  | "cancel";

export type ReplacementDispatchState =
  | "none"
  | "intended"
  | "launched"
  | "failed";

export type ReplacementDispatchTrigger =
  | "begin_dispatch"
  | "intend"
  | "launched"
  | "launch_failed"
  | "updater_ended";

export type ReplacementRunState =
  | "opened"
  | "claimed"
  | "moving"
  | "verified"
  | "ended"
  | "rolling_back"
  | "rolled_back"
  | "refused";

export type ReplacementRunTrigger =
  | "open"
  | "enter"
  | "claim_taken"
  | "claim_refused"
  | "snapshot_taken"
  | "successor_created"
  | "successor_verified"
  | "successor_went_on"
  | "walk_failed"
  | "predecessor_is_back"
  | "end";

export type UpgradeGroundworkState =
  | "backup_due"
  | "migration_due"
  | "settled";

export type UpgradeGroundworkTrigger =
  | "note_context"
  | "note_backup"
  | "note_migration"
  | "take_back_migration";

export type AdminUpdateState =
  | "planned"
  | "started";

export type AdminUpdateTrigger =
  | "plan"
  | "start"
  | "take_back";

export type WorkState =
  | "free"
  | "mutating"
  | "terminalizing";

export type WorkTrigger =
  | "open_site"
  | "begin_mutation"
  | "begin_termination"
  | "begin_side_work"
  | "add_operation"
  | "release";

export type SetupIntentState =
  | "issued"
  | "consumed"
  | "retired"
  | "expired";

export type SetupIntentTrigger =
  | "issue_intent"
  | "validate_intent"
  | "claim_intent"
  | "retire_intent";

export type WorkflowLifecycleState =
  | "operation_running"
  | "malformed"
  | "conflict"
  | "cleanup_pending"
  | "review_required"
  | "idle"
  | "active";

export type ConsoleOwner =
  | "unknown"
  | "conflict"
  | "guided_setup"
  | "guided_upgrade"
  | "align_existing_install"
  | "none";

export type SwitchBlockedBy =
  | "nothing"
  | "setup_operation_in_progress"
  | "workflow_operation_in_progress"
  | "workflow_state_malformed"
  | "workflow_owner_conflict"
  | "workflow_recovery_required"
  | "workflow_owner_unknown"
  | "workflow_switch_blocked";

export type SwitchAction =
  | "discard_guided_setup"
  | "cancel_guided_upgrade"
  | "resume_guided_setup"
  | "start_guided_setup"
  | "none";

export type SwitchRefusedBy =
  | "nothing"
  | "setup_operation_in_progress"
  | "workflow_operation_in_progress"
  | "workflow_state_malformed"
  | "workflow_owner_conflict"
  | "workflow_recovery_required"
  | "workflow_owner_unknown"
  | "workflow_switch_blocked";

export type SetupDoor =
  | "unreadable"
  | "resume"
  | "ask"
  | "clean_up"
  | "switch"
  | "begin";

export type SwitchAsksForConfirmation =
  | "required"
  | "not_required";

export type Recoverable =
  | "yes"
  | "no";

export type SafeRecoveryReaches =
  | "open"
  | "workflow_state_malformed"
  | "workflow_owner_unknown";

export type OffersDiscardUnstartedUpdater =
  | "yes"
  | "no";

export type OffersTransitionCancel =
  | "yes"
  | "no";

export type OffersSetupCleanup =
  | "yes"
  | "no";

export type OffersUpgradeContextClear =
  | "yes"
  | "no";

export type OffersSettleConfigCommit =
  | "yes"
  | "no";

export type ReleasesSetup =
  | "kept"
  | "unreadable_state"
  | "unsupported_transition_mode"
  | "workflow_owner_conflict"
  | "setup_transition_context_mismatch"
  | "setup_transition_owner_unproven"
  | "unusable_upgrade_context";

export type ReleasesTransition =
  | "kept"
  | "unreadable_state"
  | "unsupported_transition_mode"
  | "workflow_owner_conflict"
  | "setup_transition_context_mismatch"
  | "setup_transition_owner_unproven"
  | "unusable_upgrade_context";

export type ReleasesUpgradeContext =
  | "kept"
  | "unreadable_state"
  | "unsupported_transition_mode"
  | "workflow_owner_conflict"
  | "setup_transition_context_mismatch"
  | "setup_transition_owner_unproven"
  | "unusable_upgrade_context";

export type ReleasesReplacement =
  | "kept"
  | "unreadable_state"
  | "unsupported_transition_mode"
  | "workflow_owner_conflict"
  | "setup_transition_context_mismatch"
  | "setup_transition_owner_unproven"
  | "unusable_upgrade_context";

export type ReleasesOther =
  | "kept"
  | "unreadable_state"
  | "unsupported_transition_mode"
  | "workflow_owner_conflict"
  | "setup_transition_context_mismatch"
  | "setup_transition_owner_unproven"
  | "unusable_upgrade_context";

export type ReleasePermit =
  | "given"
  | "replacement_active"
  | "install_state_unavailable";

export type SetupClaim =
  | "none"
  | "active"
  | "cleanup_pending"
  | "review_required"
  | "unreadable";

export type TransitionClaim =
  | "none"
  | "setup"
  | "upgrade"
  | "align"
  | "unsupported"
  | "unreadable";

export type ConfigWriteGate =
  | "open"
  | "system_transition_in_progress";

export type UpgradeGate =
  | "open"
  | "setup_abandon_required"
  | "setup_cleanup_required"
  | "workflow_owner_conflict"
  | "workflow_owner_unknown"
  | "workflow_state_malformed";

export type GuidedUpgradeState =
  | "planned"
  | "pre_alignment"
  | "aligning"
  | "upgrading"
  | "diagnosing"
  | "completed"
  | "failed_recoverable"
  | "cancelled";

export type UpgradeCourse =
  | "back_up"
  | "migrate"
  | "update_admin"
  | "prove_admin"
  | "fetch_build"
  | "make_ready"
  | "replace_ems"
  | "recover_ems"
  | "check_health"
  | "go_back_from_start"
  | "go_back_from_check"
  | "retry"
  | "wait"
  | "end";

export type OperationBeside =
  | "open"
  | "anew"
  | "transition_active";

export type BackupFate =
  | "stays"
  | "goes";

export type AdminUpdateProgressState =
  | "planned"
  | "admin_update_started"
  | "resume_ready"
  | "admin_update_succeeded"
  | "admin_update_failed"
  | "completed"
  | "cancelled";

export type AdminUpdateNeed =
  | "none"
  | "digest_changed"
  | "digest_unknown"
  | "current_identity_unknown";

export type AdminUpdateGate =
  | "open"
  | "upgrade_not_forward"
  | "known_good_unavailable"
  | "install_state_unavailable"
  | "running_ems_unverifiable"
  | "known_good_mismatch";

export type OperationEndState =
  | "open"
  | "no_transition"
  | "setup_return_unsupported"
  | "not_resumable"
  | "invalid_transition"
  | "known_good_unavailable"
  | "install_state_unavailable"
  | "running_ems_unverifiable"
  | "known_good_mismatch"
  | "admin_unverifiable"
  | "admin_already_matches_running_ems";

export type OperationEndedBy =
  | "cancel"
  | "abandon"
  | "nobody";

export type OperationWayOut =
  | "cancel"
  | "abandon"
  | "nobody";

export type OperationBrings =
  | "admin"
  | "ems";

export type KnownGoodWords =
  | "of_the_operation"
  | "as_noted"
  | "known_good_unavailable";

export type ReplacementWalkState =
  | "open_run"
  | "claim_operation"
  | "take_snapshot"
  | "verify_successor"
  | "note_failure"
  | "restore_predecessor"
  | "note_back"
  | "end_run";

export type Wish =
  | "stands"
  | "surpassed"
  | "over"
  | "withdrawn";

export type ReplacementReconcileState =
  | "offer_resume"
  | "ask_again"
  | "end_restless"
  | "wait"
  | "show_unprovable"
  | "fail_not_dispatched"
  | "fail_unverifiable"
  | "leave"
  | "start"
  | "create_and_start"
  | "bring_back";

export type DispatchCall =
  | "report"
  | "attempt_failed"
  | "retry_first"
  | "launch";

export type Launch =
  | "launched"
  | "start"
  | "remove"
  | "failed"
  | "stays_intended";

export type Tidying =
  | "forget"
  | "quell"
  | "leave";

export type DeploymentState =
  | "none"
  | "preparing"
  | "starting"
  | "running"
  | "failed"
  | "prepared";

export type ContainerConflictClearing =
  | "cleared"
  | "install_state_unavailable"
  | "container_conflict_changed"
  | "container_not_stopped"
  | "selected_image_missing";

export type ContainerControl =
  | "acts"
  | "recreates"
  | "not_found"
  | "own_container_protected"
  | "container_name_conflict"
  | "ems_not_running";

export type Code =
  | "malformed_body"
  | "unsupported_field"
  | "unsupported_value"
  | "confirmation_required"
  | "recovery_reason_required"
  | "workflow_fingerprint_required"
  | "password_required"
  | "password_mismatch"
  | "credential_staging_failed"
  | "transition_state_write_failed"
  | "not_authenticated"
  | "csrf_failed"
  | "origin_rejected"
  | "invalid_password"
  | "auth_not_configured"
  | "setup_code_required"
  | "setup_code_invalid"
  | "second_factor_required"
  | "second_factor_invalid"
  | "scope_insufficient"
  | "not_found"
  | "method_not_allowed"
  | "body_too_large"
  | "validation_failed"
  | "rate_limited"
  | "setup_transition_link_failed"
  | "setup_transition_link_unreconciled"
  | "transition_commit_unprovable"
  | "transition_stage_commit_unprovable"
  | "abandon_cleanup_incomplete"
  | "internal_error"
  | "docker_socket_not_mounted"
  | "docker_permission_denied"
  | "docker_daemon_unreachable"
  | "service_manager_unreachable"
  | "release_source_unreachable"
  | "site_locked"
  | "auth_already_configured"
  | "auth_file_invalid"
  | "work_in_progress"
  | "job_not_cancellable"
  | "plan_unknown"
  | "operation_payload_mismatch"
  | "operation_sealed"
  | "setup_workflow_required"
  | "setup_workflow_not_active"
  | "setup_intent_required"
  | "setup_intent_expired"
  | "setup_intent_consumed"
  | "setup_intent_workflow_mismatch"
  | "setup_state_changed"
  | "setup_preview_required"
  | "setup_preview_mismatch"
  | "stale_setup_config"
  | "setup_operation_in_progress"
  | "setup_transition_owner_unproven"
  | "setup_transition_context_mismatch"
  | "setup_artifact_review_required"
  | "setup_abandon_required"
  | "setup_cleanup_required"
  | "setup_return_unsupported"
  | "cleanup_not_disownable"
  | "target_exists"
  | "system_alignment_incomplete"
  | "system_build_alignment_required"
  | "transition_active"
  | "transition_context_mismatch"
  | "transition_status_unavailable"
  | "operation_mismatch"
  | "no_transition"
  | "no_guided_upgrade_transition"
  | "guided_upgrade_context_unavailable"
  | "invalid_transition"
  | "not_resumable"
  | "expired"
  | "mutation_in_progress"
  | "transition_worker_active"
  | "transition_worker_status_unavailable"
  | "transition_cancel_unsupported"
  | "system_transition_in_progress"
  | "admin_update_not_runnable"
  | "admin_update_not_required"
  | "admin_unverifiable"
  | "admin_identity_mismatch"
  | "replacement_active"
  | "install_state_unavailable"
  | "install_root_not_host_path"
  | "known_good_unavailable"
  | "known_good_mismatch"
  | "running_ems_unverifiable"
  | "admin_already_matches_running_ems"
  | "state_unreadable"
  | "state_malformed"
  | "unsupported_state_version"
  | "unsupported_mode"
  | "invalid_stage"
  | "state_tampered"
  | "workflow_switch_required"
  | "workflow_operation_in_progress"
  | "workflow_recovery_required"
  | "workflow_switch_blocked"
  | "workflow_owner_unknown"
  | "workflow_owner_conflict"
  | "workflow_state_malformed"
  | "workflow_lifecycle_changed"
  | "workflow_recovery_unsafe"
  | "unreadable_state"
  | "unsupported_transition_mode"
  | "unusable_upgrade_context"
  | "setup_artifact_owner_mismatch"
  | "system_build_unknown"
  | "system_build_unavailable"
  | "system_build_floating"
  | "system_build_mismatch"
  | "system_build_resources_invalid"
  | "system_build_verification_required"
  | "system_build_verification_stale"
  | "upgrade_plan_stale"
  | "migration_review_stale"
  | "release_not_prepared"
  | "generated_config_missing"
  | "generated_config_review_required"
  | "stale_generated_config"
  | "runtime_identity_missing"
  | "existing_install_conflict"
  | "workspace_conflict"
  | "deployment_not_prepared"
  | "deployment_workspace_missing"
  | "deployment_marker_invalid"
  | "deployment_config_mismatch"
  | "container_conflict_changed"
  | "container_not_stopped"
  | "selected_image_missing"
  | "conflict"
  | "config_commit_unprovable"
  | "legacy_config_missing"
  | "backup_password_required"
  | "backup_password_invalid"
  | "backup_damaged"
  | "admin_update_launch_failed"
  | "replacement_not_dispatched"
  | "job_cancelled"
  | "image_pull_rate_limited"
  | "image_pull_network_error"
  | "image_pull_failed"
  | "image_pull_stalled"
  | "image_unavailable"
  | "container_port_conflict"
  | "container_name_conflict"
  | "ems_start_failed"
  | "ems_not_running"
  | "workspace_permission_denied"
  | "ems_operation_interrupted"
  | "ems_identity_unverifiable"
  | "ems_identity_mismatch"
  | "transition_stale_for_selected_build"
  | "transition_active_for_another_build"
  | "system_build_recovery_required"
  | "system_build_transition_blocked"
  | "system_build_resources_unavailable"
  | "system_build_action_state_invalid"
  | "schema_violation"
  | "device_identity_duplicate"
  | "no_controllable_device"
  | "grid_meter_missing"
  | "too_many_items"
  | "proposal_unknown"
  | "storage_unreliable"
  | "journal_not_writable"
  | "disk_nearly_full"
  | "dashboard_unreachable"
  | "current_admin_unusable"
  | "state_write_failed"
  | "config_write_failed"
  | "state_directory_unsafe"
  | "state_file_unsafe"
  | "config_file_not_replaceable"
  | "config_unreadable"
  | "startup_check_failed"
  | "admin_data_not_writable"
  | "config_not_writable"
  | "state_lock_unavailable"
  | "state_lock_busy"
  | "clock_not_plausible"
  | "known_good_image_missing"
  | "own_container_protected"
  | "rollback_not_possible"
  | "upgrade_not_forward"
  | "state_commit_unprovable"
  | "config_reference_unresolved"
  | "image_smoke_failed"
  | "image_digest_mismatch"
  | "image_pull_denied"
  | "replacement_config_drift"
  | "healthcheck_failed"
  | "replacement_updater_failed"
  | "replacement_start_failed"
  | "replacement_attempts_exhausted"
  | "operation_stalled";

export const MACHINES = [
  "guided_setup",
  "preview",
  "cleanup",
  "system_alignment",
  "replacement_dispatch",
  "replacement_run",
  "upgrade_groundwork",
  "admin_update",
  "work",
  "setup_intent",
  "workflow_lifecycle",
  "guided_upgrade",
  "admin_update_progress",
  "operation_end",
  "replacement_walk",
  "replacement_reconcile",
  "deployment",
] as const;

export type MachineName = (typeof MACHINES)[number];
