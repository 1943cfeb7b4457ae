/** What the other rooms of Maintenance ask for: what is installed, the services, diagnostics and backups. */

import type { DeploymentState } from "../generated/machines";
import type { Diff } from "./setup_shapes";
import type { Build } from "./setup_shapes";

export interface Overview {
  installed: { system_tag: string; build_id: string | null; revision: string | null; since: string | null } | null;
  state: DeploymentState;
  health: string;
  running_since: string | null;
  next_update: Build | null;
  /** Why nobody can say whether there is an update. */
  update_unknown: { code: string; message: string } | null;
}

export interface Container {
  service: string;
  container: string;
  image: string | null;
  image_id: string | null;
  state: string;
  health: string | null;
  started_at: string | null;
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
  summary: string;
}

export type BackupScope = "config" | "full";

export interface Backup {
  id: string;
  label: string | null;
  scope: BackupScope;
  origin: string;
  created_at: string;
  encrypted: boolean;
  bytes: number;
  files?: number;
  system_tag?: string | null;
}

export interface BackupContents {
  files: { name: string; sha256: string; bytes: number }[];
}

export type ConflictPolicy = "keep_live" | "take_backup";

export interface RestorePlan {
  plan_id: string;
  diff: Diff;
  revision: string | null;
}
