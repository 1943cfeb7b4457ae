/** Which kinds of work belong to which step, and what they are called. */

import type { Step } from "./steps";

export const JOB_KINDS: Record<Step, readonly string[]> = {
  release: ["setup_release_prepare", "system_build_confirm", "system_build_update_admin"],
  devices: [],
  config: [],
  prepare: ["deployment_prepare"],
  start: ["deployment_start", "container_conflict_resolution"],
};

const TITLES: Readonly<Record<string, string>> = {
  setup_release_prepare: "Bringing the build here",
  system_build_confirm: "Bringing the build here",
  system_build_update_admin: "Updating EMS Admin",
  deployment_prepare: "Preparing the EMS",
  deployment_start: "Starting the EMS",
  container_conflict_resolution: "Clearing the way",
  permission_repair: "Repairing permissions",
  transition_resume: "Going on where it stopped",
  config_write: "Writing the configuration",
  config_apply: "Applying the configuration",
  guided_upgrade: "Upgrading the EMS",
  admin_update: "Updating EMS Admin",
  build_return: "Returning to the running build",
  maintenance_config: "Changing the configuration",
  backup_restore: "Restoring a backup",
  container_action: "Acting on a service",
  backup_create: "Making a backup",
  diagnostics: "Asking every part how it is",
  abandon: "Ending the setup",
  supersede: "Changing the build",
  cleanup_retry: "Clearing up after a setup",
  cleanup_disown: "Letting go of the files of a setup",
  complete: "Finishing the setup",
  transition_cancel: "Cancelling the operation",
  lifecycle_switch: "Switching",
  lifecycle_recovery: "Recovering",
};

export function jobTitle(kind: string): string {
  return TITLES[kind] ?? "Working";
}

/** Work that goes on with a known operation; it belongs to the step that the operation has reached. */
const RESUME = "transition_resume";

export function kindsShownOn(step: Step, resourcesReady: boolean): readonly string[] {
  const resumes = step === "release" ? !resourcesReady : step === "start" && resourcesReady;
  return resumes ? [...JOB_KINDS[step], RESUME] : JOB_KINDS[step];
}
