/** The words of a switch and of recovery, as sentences. What a newer server may add is shown under its own name. */

import type { Blocker, ReleaseReason, SafeAction } from "../server/lifecycle_shapes";

const SCOPES: Readonly<Record<string, string>> = {
  setup_draft: "the devices and options entered here",
  generated_config: "the configuration file that the setup has made",
  deployment_plan: "the plan of the deployment",
  setup_progress: "the progress of the setup",
  operation: "the operation in progress",
  upgrade_context: "what the upgrade had noted about itself",
  live_configuration: "the live configuration",
  runtime_data: "the data of the EMS",
  deployment_marker: "the marker of what is deployed",
  containers: "containers and running services",
  volumes: "volumes",
  backups: "backups",
};

export function scopeWords(scope: string): string {
  return SCOPES[scope] ?? scope.replaceAll("_", " ");
}

export const SAFE_ACTIONS: Record<SafeAction, string> = {
  transition_cancel: "Cancel the operation that waits. The EMS that runs is not touched.",
  setup_cleanup: "End the setup and remove the files that are provably its own.",
  upgrade_context_clear: "Clear the notes of an upgrade whose operation is over.",
  discard_unstarted_updater: "Remove an updater of EMS Admin that was made and never started.",
  settle_config_commit: "Settle a change of the configuration that was cut off: finish it or take it back, byte for byte.",
};

export const RELEASE_REASONS: Record<ReleaseReason, string> = {
  unreadable_state: "It cannot be read.",
  unsupported_transition_mode: "It holds an operation of a kind that this EMS Admin does not know.",
  workflow_owner_conflict: "It claims the console beside another record, and neither can be ended in the usual way.",
  setup_transition_context_mismatch: "Its setup names another operation than the one in progress.",
  setup_transition_owner_unproven: "Its setup cannot name the operation in progress.",
  unusable_upgrade_context: "It names an upgrade, but does not hold together any more.",
};

/** Why a switch is blocked, and where the way on is. */
export interface BlockedBy {
  sentence: string;
  next: "recovery" | "wait";
}

export const BLOCKED_BY: Record<Blocker, BlockedBy> = {
  setup_operation_in_progress: { sentence: "A step of the setup is still running. It has to end first.", next: "wait" },
  workflow_operation_in_progress: { sentence: "The operation is at a step that may not be cut off. It has to end first.", next: "wait" },
  workflow_state_malformed: { sentence: "A record of what is in progress cannot be read, so nothing is ended by guessing.", next: "recovery" },
  workflow_owner_conflict: { sentence: "Two records each claim the console, and neither is preferred.", next: "recovery" },
  workflow_recovery_required: { sentence: "A setup that has ended left files behind. They come first.", next: "recovery" },
  workflow_owner_unknown: { sentence: "What is in progress cannot be ended by a switch.", next: "recovery" },
  workflow_switch_blocked: { sentence: "The setup cannot prove that the operation in progress is its own, so it may not end it.", next: "recovery" },
};
