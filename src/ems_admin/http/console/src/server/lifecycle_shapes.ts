/** What the routes answer that say who owns the console, and what a switch or a recovery would do. */

import type {
  ConsoleOwner,
  ReleasesSetup,
  ReplacementRunState,
  SwitchAction,
  SwitchBlockedBy,
  WorkflowLifecycleState,
} from "../generated/machines";

/** What is at work right now. */
export interface RunningOperation {
  kind: string;
  started_at: string;
  operation_id?: string | null;
  job_id?: string | null;
  stage?: string | null;
}

export type Blocker = Exclude<SwitchBlockedBy, "nothing">;

export interface Lifecycle {
  owner: ConsoleOwner;
  state: WorkflowLifecycleState;
  switchable: boolean;
  recoverable: boolean;
  blocking_reason: Blocker | null;
  operation: RunningOperation | null;
  fingerprint: string;
}

/** How far the updater is that replaces the Admin. */
export interface Replacement {
  attempt: number | null;
  outcome: string | null;
  step: ReplacementRunState | null;
  step_at: string | null;
  /** How often the updater has begun or gone on with its walk. */
  entries: number | null;
  /** When the new one was seen to be well, and whether at its published address. */
  verified_at?: { at: string; published: boolean } | null;
  /** What went wrong; an end without one is a good end. */
  code?: string | null;
  /** The last words of a new EMS Admin that did not live. */
  successor?: { exit_code: number | null; log: readonly string[] } | null;
  /** How the updater itself ended. */
  updater?: { code: number; oom: boolean; log: readonly string[] } | null;
}

export type SwitchTarget = "guided_setup" | "guided_upgrade" | "none";

export interface SwitchPreview {
  target: SwitchTarget;
  current_owner: ConsoleOwner;
  action: SwitchAction;
  blocked: boolean;
  blocking_reason: Blocker | null;
  confirmation_required: boolean;
  will_reset: readonly string[];
  will_preserve: readonly string[];
  resume_available: boolean;
  recoverable: boolean;
  fingerprint: string;
  lifecycle: Lifecycle;
}

export interface Switched {
  action: SwitchAction;
  setup_workflow_id?: string;
  setup_intent_id?: string;
}

export type SafeAction =
  | "transition_cancel"
  | "setup_cleanup"
  | "upgrade_context_clear"
  | "discard_unstarted_updater"
  | "settle_config_commit";

export type ReleaseReason = Exclude<ReleasesSetup, "kept">;

export interface StaleFile {
  name: string;
  reason: ReleaseReason;
}

export interface RecoveryPreview {
  blocking: string | null;
  operation_running: boolean;
  safe: { available: boolean; actions: readonly SafeAction[]; confirmation_required: boolean };
  release: { available: boolean; files: readonly StaleFile[]; confirmation_required: boolean; reason_required: boolean };
  will_preserve: readonly string[];
  fingerprint: string;
  lifecycle: Lifecycle;
}

export type RecoveryMode = "safe" | "release_stale_state";

export interface Recovered {
  actions?: readonly string[];
  released?: readonly (string | { name: string })[];
  /** Where the copies of what was released lie. */
  backup?: string | null;
}
