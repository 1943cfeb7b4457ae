/** The cleanup that an ended Setup still owes: trying again, looking again, or leaving its files where they are. */

import type { Answer } from "../server/client";
import { client } from "./session";
import { setupAct } from "./workflow";

/** The same request for retry and recheck, under the exact id of the ended workflow; nothing local changes. */
export function retryCleanup(workflowId: string): Promise<Answer<unknown>> {
  return setupAct("setup", "cleanup", () => client.post("/api/setup/abandon", { setup_workflow_id: workflowId }));
}

export const LONGEST_REASON = 200;

/** Every file stays as it is, and the ended Setup owes nothing any more. */
export function disownCleanup(workflowId: string, reason: string): Promise<Answer<unknown>> {
  const body = { setup_workflow_id: workflowId, confirm: true, reason };
  return setupAct("setup", "disown", () => client.post("/api/setup/cleanup/disown", body));
}
