/** The upgrade as the read model of the console shows it. */

import type { GuidedUpgradeState } from "../generated/machines";

export const UPGRADE_OPTIONS = [
  "backup",
  "auto_rollback",
  "config_check",
  "config_add_keys",
  "pull_image",
  "recreate",
  "diagnostics",
] as const;
export type UpgradeOption = (typeof UPGRADE_OPTIONS)[number];
export type UpgradeOptions = Readonly<Record<UpgradeOption, boolean>>;

export type StepStanding = "settled" | "next" | "open";

/** One step of an upgrade that has begun, as the records of the server say it. */
export interface UpgradeStepView {
  key: string;
  label: string;
  standing: StepStanding;
}

/** The upgrade as the read model shows it. */
export interface UpgradeView {
  state: GuidedUpgradeState;
  operation_id: string | null;
  target_system_tag: string | null;
  options: UpgradeOptions | null;
  /** Empty when it is over, or when what it has settled cannot be read. */
  steps: readonly UpgradeStepView[];
}
