/** Updating EMS Admin alone: a plan for one build, and its execution by the name of that plan. */

import { computed, signal } from "@preact/signals";
import type { Answer } from "../server/client";
import type { Build } from "../server/setup_shapes";
import type { Job } from "../server/shapes";
import type { AdminUpdatePlan } from "../server/upgrade_shapes";
import { Generation } from "../tab/generation";
import { act, dismissRefusal } from "./acts";
import { model, refresh } from "./console";
import { client, onNewInstance } from "./session";
import { accompany } from "./upgrade_run";
import { targets } from "./upgrade_target";

const PATH = "/api/admin/maintenance/admin-update";

export const adminPlan = signal<{ tag: string; plan: AdminUpdatePlan } | null>(null);

/** Builds whose EMS Admin can take over: newer ones, and the installed one where another Admin runs than its own. */
export const adminTargets = computed<readonly Build[]>(() => {
  const here = model.value?.instance.build_id;
  const installed = model.value?.known_good?.system_tag;
  return (targets.value ?? []).filter((build) => build.build_id !== here && (build.selectable || build.system_tag === installed));
});

const generation = new Generation();

export function leaveAdminUpdate(): void {
  generation.raise();
  adminPlan.value = null;
  dismissRefusal("admin-update");
}

export async function planAdminUpdate(tag: string): Promise<void> {
  leaveAdminUpdate();
  const wanted = generation.mark();
  const answer = await act("admin-update", `admin-plan-${tag}`, () => client.post<AdminUpdatePlan>(`${PATH}/plan`, { tag }));
  if (answer.ok && wanted()) adminPlan.value = { tag, plan: answer };
}

/** The plan that was shown is the plan that is carried out: the server knows it by its name. */
export async function updateAdminAlone(): Promise<Answer<Job>> {
  const shown = adminPlan.value;
  if (!shown) return { ok: null };
  const body = { plan_id: shown.plan.plan_id, confirm: true };
  const answer = await act("admin-update", "admin-execute", () => client.post<Job>(`${PATH}/execute`, body));
  if (answer.ok) {
    if (answer.operation_id) accompany(answer.operation_id);
    adminPlan.value = null;
  }
  // Planned so long ago, or by an Admin before this one: what it said is history.
  if (answer.ok === false && answer.error === "plan_unknown") adminPlan.value = null;
  await refresh();
  return answer;
}

onNewInstance(leaveAdminUpdate);
