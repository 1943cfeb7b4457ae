/** The plan of an upgrade, and its execution against exactly that plan. */

import { signal } from "@preact/signals";
import type { Answer } from "../server/client";
import type { Job } from "../server/shapes";
import type { UpgradePlan } from "../server/upgrade_shapes";
import type { UpgradeOptions } from "../server/upgrade_view";
import { differencesOf, type Difference } from "../upgrade/differences";
import { dismissRefusal } from "./acts";
import { refresh } from "./console";
import { client } from "./session";
import { accompany } from "./upgrade_run";
import { chooseAgain, inThisRound, onDrop, options, target, UPGRADE, verified, verifyTarget } from "./upgrade_target";

export const plan = signal<UpgradePlan | null>(null);
/** What a plan that was made anew by itself says otherwise than the one that was on the screen. */
export const differs = signal<readonly Difference[] | null>(null);

onDrop(() => {
  plan.value = null;
  differs.value = null;
});

/** The operation in whose place a new upgrade is planned; beginning that one ends it. */
export const inPlaceOf = signal<string | null>(null);

/** Plan an upgrade anew whose hour is over. */
export function planInPlaceOf(operation: { operation_id: string; system_tag: string }, options: UpgradeOptions | null): void {
  chooseAgain(operation.system_tag, options);
  inPlaceOf.value = operation.operation_id;
}

export async function makePlan(): Promise<UpgradePlan | null> {
  const tag = target.value;
  const selection = verified.value?.action_state.selection_fingerprint;
  if (tag === null || selection == null) return null;
  const body = { tag, options: options.value, selection_fingerprint: selection };
  const answer = await inThisRound("plan", () => client.post<UpgradePlan>(`${UPGRADE}/plan`, body));
  if (!answer.ok) return null;
  plan.value = answer;
  differs.value = null;
  return answer;
}

/** Back to the choice; what was verified of it still holds. */
export function leavePlan(): void {
  plan.value = null;
  differs.value = null;
  dismissRefusal("upgrade");
}

/** What says that the plan is not of the present any more. */
const STALE: ReadonlySet<string> = new Set([
  "upgrade_plan_stale",
  "migration_review_stale",
  "system_build_verification_stale",
  "system_build_verification_required",
]);

/** Begin the upgrade. One click is one request, and it is for the plan that is on the screen. */
export async function execute(): Promise<Answer<Job>> {
  const shown = plan.value;
  if (!shown) return { ok: null };
  const body = {
    tag: shown.target.tag,
    options: shown.options,
    selection_fingerprint: shown.selection_fingerprint,
    plan_fingerprint: shown.plan_fingerprint,
    ...(shown.migration_revision === null ? {} : { migration_revision: shown.migration_revision }),
    confirm: true,
  };
  const answer = await inThisRound("execute", () => client.post<Job>(`${UPGRADE}/execute`, body));
  if (answer.ok && answer.operation_id) accompany(answer.operation_id);
  if (answer.ok === false && STALE.has(answer.error) && differs.value === null) await planAnew(shown);
  await refresh();
  // The read model shows the operation by now; what was planned is on its way.
  if (answer.ok) leavePlan();
  return answer;
}

/** Once by itself, and never begun by itself: a plan that keeps changing has to be heard of. */
async function planAnew(before: UpgradePlan): Promise<void> {
  dismissRefusal("upgrade");
  if (!(await verifyTarget())) return;
  const after = await makePlan();
  if (after) differs.value = differencesOf(before, after);
}
