/** What the panel of an unfinished operation offers: of what the server names, exactly what its owner may do. */

import type { ConsoleOwner } from "../generated/machines";
import type { NextAction, Transition, TransitionFacts } from "../server/shapes";
import { never } from "../setup/steps";

export interface WaysOut {
  /** What takes it on, in the server's order. */
  forward: readonly NextAction[];
  discardSetup: boolean;
  cancel: boolean;
  returnToRunning: boolean;
}

export const NO_WAYS: WaysOut = { forward: [], discardSetup: false, cancel: false, returnToRunning: false };

const ABANDON = "/api/setup/abandon";
const CANCEL = "/api/admin/system-alignment/cancel";
const ENDS: ReadonlySet<string> = new Set([ABANDON, CANCEL]);
const SETUP_MODES: ReadonlySet<string> = new Set(["fresh_install", "automated_setup"]);

export function isSetups({ mode }: Transition): boolean {
  return SETUP_MODES.has(mode);
}

/** A Setup has no return, whatever an answer from before may still claim. */
export function mayReturn(operation: Transition & TransitionFacts): boolean {
  return operation.return_available === true && !isSetups(operation);
}

export const UPGRADE_RESUME = "/api/admin/maintenance/upgrade/resume";
const STEPS_ON: ReadonlySet<string> = new Set([
  "/api/admin/system-alignment/resume",
  "/api/admin/system-alignment/verify-resources",
  UPGRADE_RESUME,
]);

/** What takes an upgrade on by one step, its own resume does with all that comes after. */
function byItsOwnResume(forward: readonly NextAction[]): readonly NextAction[] {
  const step = forward.find((action) => STEPS_ON.has(action.path));
  const others = forward.filter((action) => !STEPS_ON.has(action.path));
  return step ? [{ ...step, path: UPGRADE_RESUME }, ...others] : others;
}

export function waysOut(owner: ConsoleOwner, operation: Transition & TransitionFacts): WaysOut {
  const offered = operation.next_actions ?? [];
  const forward = offered.filter((action) => !ENDS.has(action.path));
  const offers = (path: string) => operation.cancel_available !== false && offered.some((action) => action.path === path);
  switch (owner) {
    case "guided_setup":
      return { forward, discardSetup: offers(ABANDON), cancel: false, returnToRunning: false };
    case "guided_upgrade":
      return { forward: byItsOwnResume(forward), discardSetup: false, cancel: offers(CANCEL), returnToRunning: mayReturn(operation) };
    case "align_existing_install":
      return { forward, discardSetup: false, cancel: offers(CANCEL), returnToRunning: mayReturn(operation) };
    case "unknown":
    case "conflict":
    case "none":
      // Whose it is cannot be said, so nothing here may take it on or end it.
      return NO_WAYS;
    default:
      return never(owner);
  }
}
