/** Which act the chosen build is open to, read from what the server has verified about it. */

import type { Verification } from "../server/setup_shapes";

export type ReleaseAct = "go_on" | "use" | "update_admin" | "change" | "nothing";

export interface Choice {
  chosen: string;
  /** The build that the setup holds. */
  held: string | null;
  /** Whether the held build is here and proven. */
  ready: boolean;
  /** The operation of the setup, null before the first. */
  operation: string | null;
  state: Verification["action_state"] | null;
}

/** Said of every other build while the setup's own operation is for this one: a change of build ends exactly that. */
const HELD_BY_ANOTHER = "transition_active_for_another_build";

export function releaseAct({ chosen, held, ready, operation, state }: Choice): ReleaseAct {
  if (chosen === held && ready) return "go_on";
  if (state === null || state.busy) return "nothing";
  if (operation !== null && held !== null && chosen !== held) {
    return state.terminal_error === null || state.terminal_error.code === HELD_BY_ANOTHER ? "change" : "nothing";
  }
  if (state.terminal_error !== null) return "nothing";
  if (state.admin_update_allowed) return "update_admin";
  return state.continue_allowed ? "use" : "nothing";
}

export function isChange(choice: Choice): boolean {
  return releaseAct(choice) === "change";
}
