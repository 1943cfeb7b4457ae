/** The console's read model: one answer that holds all that the server says about itself. */

import { batch, computed, effect, signal } from "@preact/signals";
import type { Action, ConsoleModel, Job, Refusal, SetupWorkflow, Transition, TransitionFacts } from "../server/shapes";
import { Generation } from "../tab/generation";
import { Poller } from "../tab/poller";
import { client, onNewInstance, reachable, signedIn } from "./session";

/** The read model as the screens use it: an unreadable Setup is told apart from none. */
export interface Looked extends ConsoleModel {
  setup: SetupWorkflow | null;
}

export const model = signal<Looked | null>(null);
/** Why the record of the Setup cannot be read, or null. */
export const setupFault = signal<Refusal | null>(null);
/** Why the last look was refused, or null. */
export const readFault = signal<Refusal | null>(null);

const IDLE_PAUSE = 3000;
const WORKING_PAUSE = 1000;

const generation = new Generation();
const poller = new Poller(
  async (wanted) => {
    const newest = generation.mark();
    await read(() => wanted() && newest());
  },
  () => (runningJob.value || model.value?.alignment.transition?.stage === "admin_reconnect_pending" ? WORKING_PAUSE : IDLE_PAUSE),
);

async function read(wanted: () => boolean): Promise<void> {
  const answer = await client.get<ConsoleModel>("/api/admin/console");
  if (!wanted() || answer.ok === null) return;
  if (!answer.ok) {
    // What was read before stays on the screen; the page says that it is not fresh.
    readFault.value = answer.error === "not_authenticated" ? null : answer;
    return;
  }
  const { setup } = answer;
  const unreadable = setup !== null && "error" in setup;
  batch(() => {
    readFault.value = null;
    setupFault.value = unreadable ? setup : null;
    model.value = { ...answer, setup: unreadable ? null : setup };
  });
}

/** Read at once, after an act of this tab. A regular look that is under way is older than the act and is not heard. */
export async function refresh(): Promise<void> {
  if (!signedIn.value) return;
  generation.raise();
  await read(generation.mark());
  // Start the regular round anew: its pause depends on what was just read.
  if (poller.active) poller.nudge();
}

export const runningJob = computed<Job | null>(() => model.value?.jobs.find((job) => job.status === "running") ?? null);

/** The newest job of these kinds. The server keeps the last few, in no promised order. */
export function newestJob(kinds: readonly string[], workflowId?: string | null): Job | null {
  const jobs = (model.value?.jobs ?? []).filter(
    (job) => kinds.includes(job.kind) && (workflowId == null || job.workflow_id === null || job.workflow_id === workflowId),
  );
  return jobs.reduce<Job | null>((newest, job) => (newest && newest.started_at > job.started_at ? newest : job), null);
}

/** What the server says about one request: allowed, refused with a reason, or not mentioned. */
export function actionAt(path: string, method = "POST"): Action | null {
  return model.value?.actions.find((action) => action.path === path && action.method === method) ?? null;
}

/** The same by its key, where one path serves several acts. */
export function offer(key: string): Action | null {
  return model.value?.actions.find((action) => action.key === key) ?? null;
}

export type LiveTransition = Transition & TransitionFacts;

export const transition = computed<LiveTransition | null>(() => {
  const alignment = model.value?.alignment;
  if (!alignment?.transition) return null;
  const { transition: record, ...around } = alignment;
  return { ...around, ...record };
});

/** Hints that something changed. They only make the next look come sooner. */
let hints: EventSource | null = null;

function listen(): void {
  hints ??= new EventSource("/api/admin/events");
  hints.onmessage = () => poller.nudge();
}

function unlisten(): void {
  hints?.close();
  hints = null;
}

/** An older tab looks no more until its operator has decided; what it shows belongs to the past. */
export const standsStill = signal(false);

effect(() => {
  if (signedIn.value && reachable.value && !standsStill.value) {
    poller.start();
    listen();
  } else {
    poller.stop();
    unlisten();
  }
});

onNewInstance(() => {
  generation.raise();
  if (poller.active) poller.start();
});
