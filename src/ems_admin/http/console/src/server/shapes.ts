/** What the server answers, as `fetch` delivers it. The names are the server's; nothing here is derived. */

import type { CleanupState, DeploymentState, GuidedSetupState, SystemAlignmentState } from "../generated/machines";
import type { Lifecycle, Replacement } from "./lifecycle_shapes";
import type { UpgradeView } from "./upgrade_view";

export interface NextAction {
  action: string;
  label: string;
  method: string;
  path: string;
}

/** The server said no, and why. `error` is a code, `message` the sentence for the operator. */
export interface Refusal {
  ok: false;
  error: string;
  message: string;
  next_actions: NextAction[];
  detail?: unknown;
  operation?: unknown;
}

export interface AuthStatus {
  admin_instance_id: string;
  auth_configured: boolean;
  setup_code_required: boolean;
  recovery_required: "unreadable" | "malformed" | "unsupported_format" | null;
  authenticated: boolean;
  role?: string;
  csrf_token?: string;
  session_expires_in_seconds?: number;
}

export interface JobStep {
  key: string;
  label: string;
  status: string;
  detail: string | null;
  percent: number | null;
}

export interface Job {
  id: string;
  kind: string;
  operation_id: string | null;
  workflow_id: string | null;
  status: "running" | "succeeded" | "failed";
  steps: JobStep[];
  reconnect: boolean;
  /** Whether its present step can be broken off, where the server says so. */
  cancellable?: boolean;
  error: { code: string; message: string; detail?: unknown } | null;
  result: unknown;
  log: string[];
  started_at: string;
  finished_at: string | null;
}

/** The Guided Setup workflow as the server shows it: no path, no secret. */
export interface SetupWorkflow {
  workflow_id: string;
  status: GuidedSetupState;
  operation_id: string | null;
  transition_mode: string | null;
  selected_system_tag: string | null;
  preview: { preview_id: string; issued_at: string } | null;
  generated: boolean;
  cleanup: {
    state: CleanupState;
    failed_count: number;
    review_count: number;
    artifacts: { kind: string; status: string; detail?: string | null }[];
  };
  created_at: string;
  updated_at: string;
}

export interface Transition {
  operation_id: string;
  mode: string;
  stage: SystemAlignmentState;
  system_tag: string;
  build_id: string;
  updated_at: string;
  expires_at: string;
  failed_stage?: SystemAlignmentState | null;
  error_code?: string | null;
  error_message?: string | null;
}

/** What the status adds to the stored transition. */
export interface TransitionFacts {
  expired?: boolean;
  expiry?: "fresh" | "expired" | "unproven";
  /** Why it failed, as a sentence; `detail` is what came with it. */
  failure?: { code: string; message: string; detail?: string | null } | null;
  worker_active?: boolean | null;
  /** Null where the engine cannot be asked. */
  replacement_active?: boolean | null;
  replacement?: Replacement | null;
  resume_available?: boolean;
  return_available?: boolean;
  cancel_available?: boolean;
  next_actions?: NextAction[];
}

export interface Alignment extends TransitionFacts {
  ok: boolean;
  active: boolean;
  error?: unknown;
  transition: (Transition & TransitionFacts) | null;
}

export interface Deployment {
  state: DeploymentState;
  services: Service[];
  dashboard_url: string | null;
  dashboard_reachable: boolean | null;
  errors: { code: string; message: string; detail?: string | null }[];
  conflict: ContainerConflict | null;
}

export interface Service {
  service: string;
  state: string;
  health: string | null;
  started_at: string | null;
  /** What it runs from. */
  digest?: string | null;
  url?: string | null;
}

/** A container that bears the name of one of ours. */
export interface ContainerConflict {
  container_name: string;
  container_id: string;
  image: string | null;
  status: string;
  /** What is to run under the name. */
  selected_image: string | null;
  image_mismatch: boolean;
  safe_fix_available: boolean;
  replace_available: boolean;
  actions: ConflictAnswer[];
}

export type ConflictAction = "remove_stopped_and_continue" | "replace_running_and_continue";

export interface ConflictAnswer {
  action: ConflictAction;
  enabled: boolean;
  reason: { code: string; message: string } | null;
}

export interface EngineState {
  kind: string;
  /** Whoever cannot be asked is unknown, not down. */
  state: string;
  code: string | null;
  detail?: string | null;
}

/** One thing that can be asked of the server now, or the reason why not. */
export interface Action {
  key: string;
  action: string;
  label: string;
  method: string;
  path: string;
  enabled: boolean;
  reason: { code: string; message: string } | null;
}

export interface Warning {
  code: string;
  message: string;
  detail?: unknown;
}

export interface ConsoleModel {
  /** Null where this Admin cannot name its own build. */
  instance: { admin_instance_id: string; system_tag: string | null; build_id: string | null; revision: string | null; started_at: string };
  engine: EngineState;
  install_state: { state: string; recommended_path?: string; reasons?: unknown[]; setup_requires_confirmation?: boolean };
  lifecycle: Lifecycle;
  /** The workflow, the refusal that says why its record cannot be read, or null. */
  setup: SetupWorkflow | Refusal | null;
  alignment: Alignment;
  jobs: Job[];
  deployment: Deployment;
  warnings: Warning[];
  known_good: { system_tag: string; build_id: string; ems_digest?: string; healthcheck_at: string } | null;
  machines: Record<string, string | null>;
  /** The Guided Upgrade with its ordered steps. */
  upgrade: UpgradeView;
  actions: Action[];
}
