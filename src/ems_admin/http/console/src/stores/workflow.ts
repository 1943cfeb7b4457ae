/** Which Guided Setup this tab works on. The server owns the workflow; the tab holds a copy of its name. */

import { computed, effect, signal } from "@preact/signals";
import type { Answer, Granted } from "../server/client";
import type { Refusal } from "../server/shapes";
import type { StartPath } from "../server/setup_shapes";
import { furthestStep, shownStep, STEPS, type Step } from "../setup/steps";
import { relationTo, type Identity } from "../setup/identity";
import { detail, go, place } from "../tab/route";
import { act, refusals, type Corner } from "./acts";
import { model, refresh, standsStill } from "./console";
import { forgetDraft, memory } from "./draft";
import { client, onNewInstance } from "./session";

export const identity = signal<Identity | null>(memory.read<Identity | null>("workflow", null));
/** The refusal that made this tab an old one, or null. */
export const conflict = signal<Refusal | null>(null);
/** The one-shot confirmation of this session. Never stored: it must not outlive the page. */
const intent = signal<{ workflow_id: string; intent_id: string } | null>(null);

const rememberedStep = signal(stepNamed(memory.read<string | null>("step", null)));
/** The step in the address, so that the back button goes through the steps. */
const addressedStep = computed(() => (place.value === "setup" ? stepNamed(detail.value) : null));

function stepNamed(name: string | null): Step | null {
  return STEPS.find((step) => step === name) ?? null;
}

function remember(next: Step): void {
  rememberedStep.value = next;
  memory.write("step", next);
}

effect(() => {
  if (addressedStep.value) remember(addressedStep.value);
});

effect(() => memory.write("workflow", identity.value));

export const relation = computed(() => relationTo(identity.value, model.value?.setup ?? null));
export const furthest = computed<Step>(() => (model.value ? furthestStep(model.value) : "release"));
export const step = computed<Step>(() => shownStep(addressedStep.value ?? rememberedStep.value, furthest.value));

/** How many acts of this tab are under way that may begin a workflow. */
const begins = signal(0);

/**
 * A look may see the workflow that an act begins before that act is answered, and may still show the one before when it
 * is: until the next look the two need not agree, and neither is somebody else's.
 */
export async function beginning<T>(act: () => Promise<T>): Promise<T> {
  begins.value += 1;
  try {
    return await act();
  } finally {
    begins.value -= 1;
  }
}

// An unknown server workflow is simply taken over; one that replaced ours makes this tab an old one.
effect(() => {
  const setup = model.value?.setup;
  if (relation.value === "unknown_here" && setup) identity.value = { workflow_id: setup.workflow_id, preview_id: null };
  if (relation.value === "replaced" && conflict.value === null && begins.value === 0) raiseConflict(REPLACED);
});

const REPLACED: Refusal = {
  ok: false,
  error: "setup_workflow_not_active",
  message: "Guided Setup was begun anew in another tab or on another device. What you see here belongs to the earlier one.",
  next_actions: [],
};

// Elsewhere than in the setup this tab shows what the server has, so there it goes on looking.
effect(() => {
  standsStill.value = conflict.value !== null && place.value === "setup";
});

const conflictListeners: (() => void)[] = [];

/** Called when this tab turns out to be old: every answer still on its way must go unheard. */
export function onConflict(listener: () => void): void {
  conflictListeners.push(listener);
}

export function raiseConflict(refusal: Refusal): void {
  conflict.value = refusal;
  // The panel says it all; what was refused before belongs to the old setup.
  refusals.value = {};
  intent.value = null;
  conflictListeners.forEach((listener) => listener());
}

export const CONFLICT_CODES: ReadonlySet<string> = new Set([
  "setup_workflow_not_active",
  "setup_workflow_required",
  "setup_intent_workflow_mismatch",
  "setup_transition_owner_unproven",
  "setup_transition_context_mismatch",
]);

/**
 * An act of this workflow. What its answer says about the tab is taken in before the state is read again, so that a
 * workflow that this very act began does not look like somebody else's.
 */
export async function setupAct<T>(
  corner: Corner,
  key: string,
  request: () => Promise<Answer<T>>,
  granted: (answer: Granted<T>) => void = () => undefined,
): Promise<Answer<T>> {
  return beginning(async () => {
    const answer = await act(corner, key, request);
    if (answer.ok) granted(answer);
    if (answer.ok === false && CONFLICT_CODES.has(answer.error)) raiseConflict(answer);
    await refresh();
    return answer;
  });
}

export function openStep(next: Step): void {
  remember(next);
  go("setup", next);
  window.scrollTo({ top: 0 });
}

/** A new workflow begins at its first step, wherever the operator is looking. */
function backToRelease(): void {
  if (place.value === "setup") openStep("release");
  else remember("release");
}

/** Begin a Setup, or go on with the active one. The answer carries a fresh confirmation either way. */
export async function openSetup(corner: Corner, confirm = false): Promise<Answer<StartPath>> {
  const body = { choice: "setup_new", ...(confirm ? { confirm: true } : {}) };
  const answer = await setupAct(corner, "start-path", () => client.post<StartPath>("/api/admin/start-path", body), adopt);
  if (answer.ok) go("setup", step.value);
  return answer;
}

export function adopt(named: { setup_workflow_id?: string; setup_intent_id?: string }): void {
  if (!named.setup_workflow_id) return;
  const same = identity.value?.workflow_id === named.setup_workflow_id;
  identity.value = { workflow_id: named.setup_workflow_id, preview_id: same ? (identity.value?.preview_id ?? null) : null };
  if (!same) backToRelease();
  conflict.value = null;
  if (named.setup_intent_id) intent.value = { workflow_id: named.setup_workflow_id, intent_id: named.setup_intent_id };
}

/** The confirmation for this workflow; the click that needs it gives it, so a missing one is asked for there and then. */
export async function confirmedIntent(): Promise<Answer<{ intent_id: string }>> {
  const held = intent.value;
  if (held && held.workflow_id === identity.value?.workflow_id) return { ok: true, intent_id: held.intent_id };
  const answer = await client.post<StartPath>("/api/admin/start-path", { choice: "setup_new" });
  if (!answer.ok) return answer;
  adopt(answer);
  return { ok: true, intent_id: answer.setup_intent_id ?? "" };
}

export function spendIntent(): void {
  intent.value = null;
}

// A confirmation lives in the Admin that gave it.
onNewInstance(spendIntent);

/** End this Setup. Local state is cleared only when the server has said yes. */
export async function abandon(corner: Corner): Promise<boolean> {
  if (conflict.value) return false;
  const id = identity.value?.workflow_id;
  const answer = await setupAct(corner, "abandon", () => client.post("/api/setup/abandon", { setup_workflow_id: id }));
  if (!answer.ok) return false;
  forgetSetup();
  return true;
}

/** The server has ended the Setup: what this browser holds of it is over as well. */
export function forgetSetup(): void {
  conflictListeners.forEach((listener) => listener());
  forgetDraft();
  intent.value = null;
  identity.value = null;
  backToRelease();
}

export async function restart(): Promise<void> {
  if (await abandon("setup")) await openSetup("setup", model.value?.install_state.state !== "none");
}

/** The old tab takes over the workflow that is active now; what was typed here stays. */
export async function openCurrentSetup(): Promise<void> {
  await refresh();
  const setup = model.value?.setup;
  if (setup?.status === "active") adopt({ setup_workflow_id: setup.workflow_id });
  else identity.value = null;
  conflict.value = null;
}

export async function discardLocalDraft(): Promise<void> {
  forgetDraft();
  await openCurrentSetup();
  openStep(furthest.value);
}
