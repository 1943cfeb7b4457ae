/** Ending an operation that is not a Setup's: cancelling it, or returning to the build that runs. */

import type { Answer } from "../server/client";
import { mayReturn } from "../operation/ways_out";
import type { Corner } from "./acts";
import { act } from "./acts";
import { refresh, transition } from "./console";
import { client } from "./session";
import { accompany } from "./upgrade_run";

const ALIGNMENT = "/api/admin/system-alignment";

export function cancelOperation(corner: Corner, operationId: string): Promise<Answer<unknown>> {
  return ended(corner, "cancel-operation", `${ALIGNMENT}/cancel`, operationId);
}

/** Never sent for a Setup: the server would refuse, and no page of this console asks for what is refused. */
export async function returnToRunningBuild(corner: Corner, operationId: string): Promise<Answer<unknown>> {
  const live = transition.value;
  if (live?.operation_id !== operationId || !mayReturn(live)) return { ok: null };
  return ended(corner, "return-to-running", `${ALIGNMENT}/return-to-running-build`, operationId);
}

async function ended(corner: Corner, key: string, path: string, operationId: string): Promise<Answer<unknown>> {
  const answer = await act(corner, key, () => client.post<{ operation_id?: string | null }>(path, { operation_id: operationId, confirm: true }));
  // A return is an operation of its own, and this tab goes along with it.
  if (answer.ok && answer.operation_id) accompany(answer.operation_id);
  await refresh();
  return answer;
}
