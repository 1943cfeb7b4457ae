/** What the routes of the Guided Upgrade and of the Admin update answer. */

import type { Diff, Verification } from "./setup_shapes";
import type { UpgradeOptions } from "./upgrade_view";

export interface UpgradeVerification extends Verification {
  upgrade_direction: string;
}

export type PartKind = "admin" | "ems" | "config" | "service";
export type PartEffect = "stays" | "replaced" | "added" | "removed" | "unknown";

/** Which one of a part. The digest of the configuration is its revision. */
export interface PartVersion {
  system_tag: string | null;
  build_id: string | null;
  digest: string | null;
}

/** From what to what a part goes. */
export interface PartChange {
  kind: PartKind;
  name: string;
  before: PartVersion | null;
  after: PartVersion | null;
  effect: PartEffect;
}

/** A broker that moves out of a device to a place of its own. */
export interface MovedBroker {
  pointer: string;
  target: string;
  broker_ref: string;
  new_broker: boolean;
  password_moved: boolean;
}

export interface Migration {
  required: boolean;
  revision: string | null;
  changes: readonly MovedBroker[];
  /** JSON pointers of the settings that the new build brings. */
  added_keys: readonly string[];
  diff: Diff;
}

/** Everything that an upgrade would do. Two plans with one fingerprint do the same. */
export interface UpgradePlan {
  target: { tag: string; channel: string; revision: string; build_id: string };
  options: UpgradeOptions;
  selection_fingerprint: string;
  live_revision: string | null;
  parts: readonly PartChange[];
  interruptions: readonly { kind: PartKind; name: string }[];
  /** Bytes; null where nobody could be asked. */
  space: { needed: number; free: number | null; enough: boolean | null };
  migration: Migration;
  migration_revision: string | null;
  /** What the new build says of the configuration as it would be. */
  validation: { ready: boolean; errors: readonly { code: string; pointer: string; message: string }[] };
  known_good: { system_tag: string; build_id: string } | null;
  steps: readonly { key: string; label: string }[];
  warnings: readonly { code: string; message: string; detail?: string | null }[];
  plan_fingerprint: string;
}

export interface AdminVersion {
  image: string | null;
  digest: string | null;
  build_id: string | null;
  revision: string | null;
}

export interface AdminUpdatePlan {
  /** Null where nothing is to be done: then nothing is stored either. */
  plan_id: string | null;
  target_system_tag: string;
  current_admin: AdminVersion | null;
  target_admin: AdminVersion;
  update_required: boolean;
  reason: "digest_changed" | "digest_unknown" | "current_identity_unknown" | null;
}
