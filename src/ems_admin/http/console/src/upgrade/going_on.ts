/** Which request takes an operation on: an upgrade has its own, everything else goes by what the server names. */

import type { Transition, TransitionFacts } from "../server/shapes";

const UPGRADE_RESUME = "/api/admin/maintenance/upgrade/resume";

export function goesOnBy(operation: Transition & TransitionFacts): string | null {
  const offered = (operation.next_actions ?? []).find((action) => action.path.endsWith("/resume"));
  if (!offered) return null;
  return operation.mode === "guided_upgrade" ? UPGRADE_RESUME : offered.path;
}
