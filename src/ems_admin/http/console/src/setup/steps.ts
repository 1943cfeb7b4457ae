/** The five steps of Guided Setup, and how far what the server has stored lets the operator go. */

import type { ConsoleModel, SetupWorkflow, Transition } from "../server/shapes";
import type { SystemAlignmentState } from "../generated/machines";

export const STEPS = ["release", "devices", "config", "prepare", "start"] as const;
export type Step = (typeof STEPS)[number];

export const STEP_TITLES: Record<Step, string> = {
  release: "Release",
  devices: "Devices",
  config: "Config",
  prepare: "Prepare",
  start: "Start",
};

export function never(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}

/** Whether the resources of the chosen build are on disk and proven. */
export function resourcesAreReady(stage: SystemAlignmentState, failedStage: SystemAlignmentState | null): boolean {
  switch (stage) {
    case "admin_update_pending":
    case "admin_reconnect_pending":
    case "admin_aligned":
    case "cancelled":
      return false;
    case "resources_verified":
    case "ems_operation_pending":
    case "ems_operation_running":
    case "healthcheck_pending":
    case "completed":
      return true;
    case "failed_recoverable":
      // What was reached before the failure stays reached.
      return failedStage !== null && failedStage !== "failed_recoverable" && resourcesAreReady(failedStage, null);
    default:
      return never(stage);
  }
}

/** The transition of this workflow, or null when it has none or another one is under way. */
export function ownTransition(workflow: SetupWorkflow | null, transition: Transition | null): Transition | null {
  if (!workflow?.operation_id || transition?.operation_id !== workflow.operation_id) return null;
  return transition;
}

export interface Stored extends Pick<ConsoleModel, "alignment" | "deployment"> {
  setup: SetupWorkflow | null;
}

/** The last step that the stored state opens. */
export function furthestStep(model: Stored): Step {
  const workflow = model.setup;
  if (workflow?.status === "completed") return "start";
  const own = ownTransition(workflow, model.alignment.transition);
  if (!workflow || !own || !resourcesAreReady(own.stage, own.failed_stage ?? null)) return "release";
  if (!workflow.generated) return "config";
  switch (model.deployment.state) {
    case "none":
    case "preparing":
      return "prepare";
    case "prepared":
    case "starting":
    case "running":
      return "start";
    case "failed":
      // A failed job says which half it was by how far the transition has come.
      return hasBeenStarted(own) ? "start" : "prepare";
    default:
      return never(model.deployment.state);
  }
}

function hasBeenStarted(own: Transition): boolean {
  const reached = own.stage === "failed_recoverable" ? own.failed_stage : own.stage;
  return reached === "ems_operation_pending" || reached === "ems_operation_running" || reached === "healthcheck_pending";
}

export function isReachable(step: Step, furthest: Step): boolean {
  return STEPS.indexOf(step) <= STEPS.indexOf(furthest);
}

/** The step to show: the remembered one as far as the server allows it, else as far as the server has come. */
export function shownStep(remembered: Step | null, furthest: Step): Step {
  if (remembered !== null && isReachable(remembered, furthest)) return remembered;
  // Nobody has seen the devices yet when only the resources are ready.
  return furthest === "config" ? "devices" : furthest;
}

export function stepAfter(step: Step): Step {
  return STEPS[Math.min(STEPS.indexOf(step) + 1, STEPS.length - 1)] ?? "start";
}
