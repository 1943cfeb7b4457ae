/** Who owns the console, in a sentence. */

import type { ConsoleOwner, WorkflowLifecycleState } from "../generated/machines";
import { never } from "../setup/steps";

export const OWNERS: Record<ConsoleOwner, string> = {
  unknown: "Something unknown to this version",
  conflict: "More than one operation",
  none: "Nothing",
  guided_setup: "Guided Setup",
  guided_upgrade: "A guided upgrade",
  align_existing_install: "The alignment of EMS Admin with your EMS",
};

export function ownerSentence(state: WorkflowLifecycleState, owner: ConsoleOwner): string {
  const who = OWNERS[owner];
  switch (state) {
    case "idle":
      return "Nothing is in progress. Both doors are open.";
    case "active":
      return `${who} is in progress and has the console to itself until it is finished or ended.`;
    case "operation_running":
      return `${who} is working right now. Other changes wait until it is done.`;
    case "cleanup_pending":
      return "A setup has ended, but some of its files could not be removed yet.";
    case "review_required":
      return "A setup has ended and left files that you have to look at.";
    case "conflict":
      return "Two unfinished operations claim the console. Nothing goes on before one of them is ended.";
    case "malformed":
      return "A record that says who is at work cannot be read. Nothing is changed until that is settled.";
    default:
      return never(state);
  }
}

/** Whether somebody has to decide before anything else can go on. */
export function needsDecision(state: WorkflowLifecycleState): boolean {
  switch (state) {
    case "cleanup_pending":
    case "review_required":
    case "conflict":
    case "malformed":
      return true;
    case "idle":
    case "active":
    case "operation_running":
      return false;
    default:
      return never(state);
  }
}
