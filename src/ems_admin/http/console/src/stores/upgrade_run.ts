/** The operation that this tab goes along with: it is gone on with by itself on the new Admin, as its operator has confirmed. */

import { effect, signal, untracked } from "@preact/signals";
import type { Answer } from "../server/client";
import type { Job } from "../server/shapes";
import { isBeingReplaced } from "../operation/replacing";
import { goesOnByItself } from "../upgrade/going_on";
import { act, type Corner } from "./acts";
import { model, refresh, runningJob, transition } from "./console";
import { client, reachable, signedIn, status } from "./session";

interface Accompanied {
  operation_id: string;
  /** The Admin that it was begun on. */
  begun_on: string | null;
}

/** Never stored: after a reload somebody else may sit here, and going on is a click again. */
export const accompanied = signal<Accompanied | null>(null);

export function accompany(operationId: string): void {
  if (accompanied.value?.operation_id === operationId) return;
  accompanied.value = { operation_id: operationId, begun_on: status.value?.admin_instance_id ?? null };
}

/** Once for each stage on each Admin: what did not go on by itself is shown, and not tried for ever. */
const tried = new Set<string>();

effect(() => {
  const operation = transition.value;
  const along = accompanied.value;
  const now = model.value;
  if (!operation || !along || !now || along.operation_id !== operation.operation_id) return;
  if (!signedIn.value || !reachable.value || runningJob.value || operation.worker_active) return;
  const here = now.instance.admin_instance_id;
  const path = here === along.begun_on || isBeingReplaced(operation) ? null : goesOnByItself(operation);
  const once = `${here} ${operation.stage}`;
  if (path === null || tried.has(once)) return;
  tried.add(once);
  untracked(() => void goOn("upgrade", path, operation.operation_id));
});

/** The work on this operation: the running one, else the last that ended. */
export function jobOfUpgrade(operationId: string): Job | null {
  const own = (model.value?.jobs ?? []).filter((job) => job.operation_id === operationId);
  return own.reduce<Job | null>((newest, job) => (newest && newest.started_at > job.started_at ? newest : job), null);
}

/** Go on with a known operation by the request that its stage and its kind want. */
export async function goOn(corner: Corner, path: string, operationId: string): Promise<Answer<unknown>> {
  accompany(operationId);
  const answer = await act(corner, `continue-${path}`, () => client.post(path, { operation_id: operationId }));
  await refresh();
  return answer;
}
