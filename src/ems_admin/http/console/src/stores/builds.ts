/** The System Builds on offer, which one is chosen, and what the server has verified about it. */

import { computed, effect, signal } from "@preact/signals";
import type { Job } from "../server/shapes";
import type { Build, SchemaAnswer, Verification } from "../server/setup_shapes";
import { Generation } from "../tab/generation";
import { act } from "./acts";
import { model } from "./console";
import { client, onNewInstance } from "./session";
import { adopt, confirmedIntent, identity, setupAct, spendIntent } from "./workflow";

export const builds = signal<Build[] | null>(null);
export const verification = signal<Verification | null>(null);
export const verifying = signal(false);

const pick = signal<string | null>(null);
const generation = new Generation();

/** The operator's pick, else what the workflow has chosen, else what the server recommends. */
export const chosenTag = computed<string | null>(() => {
  const offered = builds.value ?? [];
  const stored = model.value?.setup?.status === "active" ? model.value.setup.selected_system_tag : null;
  return pick.value ?? stored ?? offered.find((build) => build.recommended && build.selectable)?.system_tag ?? null;
});

export async function readBuilds(): Promise<void> {
  const answer = await act("release", "releases", () => client.get<{ builds: Build[] }>("/api/setup/releases?flow=setup"));
  if (answer.ok) builds.value = answer.builds;
}

/** Another target drops what was verified, with every answer that is still on its way. */
export function choose(tag: string): void {
  pick.value = tag;
}

export async function verify(tag: string): Promise<void> {
  generation.raise();
  const wanted = generation.mark();
  verification.value = null;
  verifying.value = true;
  const answer = await act("release", `verify-${tag}`, () =>
    client.post<Verification>("/api/admin/system-alignment/validate", { tag }),
  );
  if (!wanted()) return;
  verifying.value = false;
  if (answer.ok) verification.value = answer;
}

let lastVerified: string | null = null;
effect(() => {
  const tag = builds.value ? chosenTag.value : null;
  if (tag === lastVerified) return;
  lastVerified = tag;
  generation.raise();
  verification.value = null;
  verifying.value = false;
  if (tag) void verify(tag);
});

onNewInstance(() => {
  generation.raise();
  builds.value = null;
  verification.value = null;
});

const SPENT: ReadonlySet<string> = new Set(["setup_intent_required", "setup_intent_expired", "setup_intent_consumed"]);

/** Take this build: the operation that brings its resources here and proves them. */
export function useBuild(tag: string): Promise<unknown> {
  return begin("use-build", "/api/setup/releases/prepare", tag);
}

/** Bring the Admin of this build here first: the operation that replaces the one that runs. */
export function updateAdmin(tag: string): Promise<unknown> {
  return begin("update-admin", "/api/setup/system-build/update-admin", tag);
}

/** Begin an expired operation anew, in the way that its build needs now. */
export async function beginAnew(tag: string): Promise<void> {
  const looked = await act("release", `verify-${tag}`, () =>
    client.post<Verification>("/api/admin/system-alignment/validate", { tag }),
  );
  await (looked.ok && looked.action_state.admin_update_allowed ? updateAdmin(tag) : useBuild(tag));
}

function begin(key: string, path: string, tag: string): Promise<unknown> {
  return setupAct("release", key, async () => {
    const first = await confirmed(path, tag);
    // The click is the confirmation; when the one in hand has run out, it is asked for anew, once.
    if (first.ok === false && SPENT.has(first.error)) return confirmed(path, tag);
    return first;
  });
}

async function confirmed(path: string, tag: string) {
  const intent = await confirmedIntent();
  if (!intent.ok) return intent;
  const body = { tag, setup_workflow_id: identity.value?.workflow_id };
  const answer = await client.post<Job>(path, body, { "X-Setup-Intent-ID": intent.intent_id });
  // Only a claim that came before the intent leaves it unspent, and then the server takes it again.
  if (answer.ok || SPENT.has(answer.ok === false ? answer.error : "")) spendIntent();
  return answer;
}

/** Change to another build: the present workflow ends and a new one begins; the typed draft stays in this browser. */
export async function changeBuild(tag: string): Promise<void> {
  const body = { setup_workflow_id: identity.value?.workflow_id, tag };
  const answer = await setupAct(
    "release",
    "change-build",
    () => client.post<{ setup_workflow_id: string; setup_intent_id: string }>("/api/setup/system-build/supersede", body),
    adopt,
  );
  if (!answer.ok) return;
  await verify(tag);
  // The change was agreed to, and with it the build; that the Admin itself is replaced is a question of its own.
  if (verification.value?.action_state.continue_allowed) await useBuild(tag);
}

/** Schema, template and example of the chosen build; there once its resources are. */
export const schema = signal<SchemaAnswer | null>(null);

export async function readSchema(): Promise<void> {
  const answer = await act("devices", "schema", () => client.get<SchemaAnswer>("/api/setup/config/schema"));
  if (answer.ok) schema.value = answer;
}
