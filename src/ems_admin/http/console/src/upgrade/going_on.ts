/** Which request takes an operation on, and where the tab that has begun it asks for that by itself. */

import type { SystemAlignmentState } from "../generated/machines";
import type { Transition, TransitionFacts } from "../server/shapes";
import { UPGRADE_RESUME } from "../operation/ways_out";
import { never } from "../setup/steps";

/** The request for the next step on the new Admin, null where nothing is to be asked for or an operator has to decide. */
export function goesOnByItself(operation: Transition & TransitionFacts): string | null {
  const offered = (operation.next_actions ?? []).find((action) => action.path.endsWith("/resume"));
  if (!offered || !waitsForNobody(operation.stage)) return null;
  if (operation.mode !== "guided_upgrade") return offered.path;
  // Its own resume does all the rest in one: where that was cut, somebody has to look.
  return operation.stage === "admin_reconnect_pending" ? UPGRADE_RESUME : null;
}

/** Whether all was said with the confirmation. What has failed, or was interrupted at work, is looked at first. */
function waitsForNobody(stage: SystemAlignmentState): boolean {
  switch (stage) {
    case "admin_reconnect_pending":
    case "admin_aligned":
    case "resources_verified":
    case "healthcheck_pending":
      return true;
    case "admin_update_pending":
    case "ems_operation_pending":
    case "ems_operation_running":
    case "failed_recoverable":
    case "completed":
    case "cancelled":
      return false;
    default:
      return never(stage);
  }
}
