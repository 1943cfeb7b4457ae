/** How the workflow that a tab remembers relates to the one that the server has. */

import type { SetupWorkflow } from "../server/shapes";

/** Render-only copies of what the server issued. They open nothing by themselves. */
export interface Identity {
  workflow_id: string;
  preview_id: string | null;
}

export type Relation =
  /** The server has no workflow. */
  | "none"
  /** The tab's workflow is the server's. */
  | "same"
  /** The tab remembers none, the server has an active one. */
  | "unknown_here"
  /** The tab remembers another one than the active one: it is a tab from before. */
  | "replaced"
  /** Only ended workflows are about; nothing of this tab is in the way of a new one. */
  | "ended";

export function relationTo(identity: Identity | null, setup: SetupWorkflow | null): Relation {
  if (setup === null) return "none";
  if (identity?.workflow_id === setup.workflow_id) return "same";
  if (setup.status !== "active") return "ended";
  return identity === null ? "unknown_here" : "replaced";
}
