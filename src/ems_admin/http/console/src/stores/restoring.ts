/** Going back to a backup: what it would change is shown first, and holds only for the config that is live at that moment. */

import { signal } from "@preact/signals";
import type { BackupScope, ConflictPolicy, RestorePlan } from "../server/maintenance_shapes";
import type { Job } from "../server/shapes";
import { act, dismissRefusal } from "./acts";
import { BACKUPS, secret } from "./backups";
import { refresh } from "./console";
import { client } from "./session";

export interface Wish {
  id: string;
  scope: BackupScope;
  password: string | null;
  policy: ConflictPolicy;
}

export const planned = signal<{ wish: Wish; plan: RestorePlan; changed: boolean } | null>(null);

const PASSED: ReadonlySet<string> = new Set(["plan_unknown", "conflict"]);

export async function previewRestore(wish: Wish, changed = false): Promise<boolean> {
  const body = { id: wish.id, scope: wish.scope, conflict_policy: wish.policy, ...secret(wish.password) };
  const answer = await act("restore", "restore-preview", () => client.post<RestorePlan>(`${BACKUPS}/restore/preview`, body));
  if (answer.ok) planned.value = { wish, plan: answer, changed };
  return answer.ok === true;
}

/** Do what was shown. When that is no longer what would happen, it is worked out anew, once, and asked again. */
export async function restore(): Promise<Job | null> {
  const held = planned.value;
  if (!held?.plan.plan_id) return null;
  const body = { plan_id: held.plan.plan_id, confirm: true };
  const answer = await act("restore", "restore", () => client.post<Job>(`${BACKUPS}/restore/execute`, body));
  await refresh();
  if (answer.ok) {
    planned.value = null;
    return answer;
  }
  if (answer.ok === false && PASSED.has(answer.error) && !held.changed) {
    if (await previewRestore(held.wish, true)) dismissRefusal("restore");
  }
  return null;
}

export function forgetPlan(): void {
  planned.value = null;
  dismissRefusal("restore");
}
