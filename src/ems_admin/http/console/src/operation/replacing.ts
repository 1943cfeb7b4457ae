/** The replacement of EMS Admin as the operator sees it: which step, and whether it is still under way. */

import type { ReplacementRunState } from "../generated/machines";
import type { Transition, TransitionFacts } from "../server/shapes";
import { never } from "../setup/steps";
import { clockTime } from "../parts/time";

export const WALK: readonly ReplacementRunState[] = ["opened", "claimed", "moving", "verified", "ended"];

/** `failed`: a walk that came back ends like one that arrived, and only what it noted tells them apart. */
export function stepWords(step: ReplacementRunState | null, failed = false): string {
  switch (step) {
    case null:
      return "The updater is being started";
    case "opened":
      return "The updater has started";
    case "claimed":
      return "The updater has taken over";
    case "moving":
      return "The old EMS Admin makes room for the new one";
    case "verified":
      return "The new EMS Admin has been checked";
    case "ended":
      return failed ? "The old EMS Admin is back" : "The replacement is done";
    case "rolling_back":
      return "It did not work; the old EMS Admin is being brought back";
    case "rolled_back":
      return "The old EMS Admin is back";
    case "refused":
      return "The updater came too late and has changed nothing";
    default:
      return never(step);
  }
}

/** When and where the new Admin was seen to be well. */
export function checkedWords({ at, published }: { at: string; published: boolean }): string {
  return `${clockTime(at)}, at its ${published ? "published" : "own"} address`;
}

/** Whether the new Admin may still be taken back: until then nobody goes on. */
function walksStill(step: ReplacementRunState | null): boolean {
  switch (step) {
    case null:
    case "opened":
    case "claimed":
    case "moving":
    case "rolling_back":
      return true;
    case "verified":
    case "ended":
    case "rolled_back":
    case "refused":
      return false;
    default:
      return never(step);
  }
}

/** What takes an operation on, on the Admin that is its own; every kind of operation has one of them. */
const RESUMES: ReadonlySet<string> = new Set([
  "/api/admin/system-alignment/resume",
  "/api/admin/maintenance/upgrade/resume",
  "/api/admin/maintenance/admin-update/resume",
]);

/** Whether the operation waits for another Admin, or for the word that the new one stays. */
export function isBeingReplaced(operation: Transition & TransitionFacts): boolean {
  if (operation.stage !== "admin_reconnect_pending") return false;
  const offered = (operation.next_actions ?? []).some((action) => RESUMES.has(action.path));
  if (!offered) return true;
  return operation.replacement_active !== false && walksStill(operation.replacement?.step ?? null);
}
