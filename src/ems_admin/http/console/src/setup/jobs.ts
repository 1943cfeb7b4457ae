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
