/** What the other rooms of Maintenance ask for: what is installed, the services, diagnostics and backups. */

import type { DeploymentState } from "../generated/machines";
import type { Finding } from "./config_shapes";
import type { Build, Diff } from "./setup_shapes";

export interface Overview {
  installed: { system_tag: string; build_id: string | null; revision: string | null; since: string | null } | null;
  state: DeploymentState;
  health: string;
  running_since: string | null;
  next_update: Build | null;
  /** Why nobody can say whether there is an update. */
  update_unknown: { code: string; message: string } | null;
}

export type ServiceState = "absent" | "starting" | "running" | "restarting" | "exited" | "stopped" | "unknown";
export type ServiceHealth = "healthy" | "starting" | "unhealthy" | "unknown";

export interface Container {
  service: string;
  /** Null where there is none, and where services run without containers. */
  container: string | null;
  image: string | null;
  image_id: string | null;
  state: ServiceState;
  health: ServiceHealth;
  started_at: string | null;
  /** A stranger that bears the name of a service is not ours. */
  ours: boolean;
  /** EMS Admin itself: it is not stopped from its own page. */
  protected: boolean;
}

export type ContainerAct = "start" | "stop" | "restart";

export interface DiagnosticCheck {
  key: string;
  status: "ok" | "warning" | "failed" | "unavailable";
  message: string;
}

export interface Diagnosis {
  checks: DiagnosticCheck[];
  /** The gravest verdict, and how many there are of each. */
  summary: { status: DiagnosticCheck["status"] } & Record<DiagnosticCheck["status"], number>;
}

export type BackupScope = "config" | "full";

export interface BackedUpFile {
  name: string;
  sha256: string;
  bytes: number;
}

/** One set. Of a damaged one nothing is known but its id; of a locked one not what it holds, before it is open. */
export interface Backup {
  id: string;
  created_at: string | null;
  scope: BackupScope | null;
  label: string | null;
  origin: "person" | "upgrade" | null;
  system_tag: string | null;
  locked: boolean;
  bytes: number | null;
  files: BackedUpFile[] | null;
  /** What was there and could not be kept. */
  left_out: { name: string; fault: string }[] | null;
  damage: { fault: string; detail: string | null } | null;
  /** False while an upgrade that is not over rests on it. */
  deletable: boolean;
}

export interface BackupList {
  backups: Backup[];
  /** How many stay when a new one is made; null for all. */
  keep: number | null;
  keep_known: boolean;
  /** Why the sets cannot be looked at, or null. */
  unreadable: string | null;
  free_bytes: number | null;
}

export type ConflictPolicy = "keep_live" | "take_backup";

/** What a restore would do; without a plan it cannot be done, and the validation says why. */
export interface RestorePlan {
  plan_id: string | null;
  revision: string | null;
  validation: { ready: boolean; errors: Finding[] };
  changed: boolean;
  diff: Diff;
  secrets_added: string[];
  secrets_changed: string[];
}
