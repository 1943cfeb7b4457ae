/** Where the screen of the upgrade stands, read from what the server says: a reload finds the same place. */

import type { ConsoleOwner, GuidedUpgradeState, WorkflowLifecycleState } from "../generated/machines";
import { never } from "../setup/steps";

export type Phase =
  /** A Setup has the console; it comes first. */
  | "setup_first"
  /** An ended Setup left files behind; they come first. */
  | "cleanup_first"
  /** Nobody can say whose the console is. */
  | "undecided"
  /** EMS Admin alone is being brought to another build. */
  | "admin_alone"
  /** Nothing is under way: a build can be chosen. */
  | "choice"
  | "under_way"
  | "failed";

export interface Standing {
  owner: ConsoleOwner;
  state: WorkflowLifecycleState;
  upgrade: GuidedUpgradeState;
  /** Another upgrade is being planned in the place of the one on record, whose hour is over. */
  anew: boolean;
}

export function phaseOf({ owner, state, upgrade, anew }: Standing): Phase {
  switch (owner) {
    case "unknown":
    case "conflict":
      return "undecided";
    case "guided_setup":
      return state === "cleanup_pending" || state === "review_required" ? "cleanup_first" : "setup_first";
    case "align_existing_install":
      return "admin_alone";
    case "guided_upgrade":
      if (anew) return "choice";
      return upgrade === "failed_recoverable" ? "failed" : "under_way";
    case "none":
      return "choice";
    default:
      return never(owner);
  }
}

/** The four places of the way, as the picture above the screen shows them. */
export const PLACES = ["build", "plan", "upgrade", "result"] as const;
export type UpgradePlace = (typeof PLACES)[number];

export const PLACE_TITLES: Record<UpgradePlace, string> = { build: "Build", plan: "Plan", upgrade: "Upgrade", result: "Result" };

export function placeOf(phase: Phase, shown: { plan: boolean; result: boolean }): UpgradePlace {
  switch (phase) {
    case "under_way":
      return "upgrade";
    case "failed":
      return "result";
    case "choice":
      return shown.result ? "result" : shown.plan ? "plan" : "build";
    case "setup_first":
    case "cleanup_first":
    case "undecided":
    case "admin_alone":
      return "build";
    default:
      return never(phase);
  }
}
