/** Preparing and starting: the plan, the two jobs, and going on with what was interrupted. */

import { signal } from "@preact/signals";
import type { Answer } from "../server/client";
import type { ConflictAction, Job } from "../server/shapes";
import type { Plan } from "../server/setup_shapes";
import { act, type Corner } from "./acts";
import { refresh } from "./console";
import { noticeChange } from "./preview";
import { client } from "./session";
import { identity, setupAct } from "./workflow";

export const plan = signal<Plan | null>(null);

export async function readPlan(): Promise<void> {
  const answer = await act("prepare", "plan", () => client.get<Plan>("/api/setup/deployment/plan"));
  if (answer.ok) plan.value = answer;
}

export async function prepareDeployment(overwrite: boolean): Promise<Answer<Job>> {
  const body = { setup_workflow_id: identity.value?.workflow_id, ...(overwrite ? { overwrite: true } : {}) };
  const answer = await setupAct("prepare", "prepare", () => client.post<Job>("/api/setup/deployment/prepare", body));
  if (answer.ok === false) noticeChange(answer);
  return answer;
}

export function startDeployment(): Promise<Answer<Job>> {
  const body = { setup_workflow_id: identity.value?.workflow_id };
  return setupAct("start", "start", () => client.post<Job>("/api/setup/deployment/start", body));
}

export function repairPermissions(corner: Corner): Promise<Answer<unknown>> {
  const body = { setup_workflow_id: identity.value?.workflow_id };
  return setupAct(corner, "repair-permissions", () => client.post("/api/setup/deployment/repair-permissions", body));
}

/** Clear a container out of the way. With nothing else in it, the start goes on by itself. */
export async function resolveContainerConflict(container: string, action: ConflictAction): Promise<void> {
  const body = { setup_workflow_id: identity.value?.workflow_id, container_name: container, action };
  const answer = await setupAct("start", "container-conflict", () =>
    client.post<{ continue: boolean }>("/api/setup/deployment/resolve-container-conflict", body),
  );
  if (answer.ok && answer.continue) await startDeployment();
}

export async function stopJob(corner: Corner, job: Job): Promise<void> {
  await act(corner, `stop-${job.id}`, () => client.post(`/api/admin/jobs/${encodeURIComponent(job.id)}/cancel`));
  await refresh();
}

/** Go on with a known operation by the request that the server names for its stage. */
export function continueOperation(corner: Corner, path: string, operationId: string): Promise<Answer<unknown>> {
  return setupAct(corner, `continue-${path}`, () => client.post(path, { operation_id: operationId }));
}
