/**
 * The config editor: the config as it was read, the edit that was made of it, and what the server says about that edit.
 *
 * An edit lives in the memory of the page: it stays through a lost session, another Admin and every change of screen, and
 * the browser asks before a reload would end it. Nothing of it is kept in the browser's storage.
 */

import { computed, effect, signal } from "@preact/signals";
import type { ConfigSchema, Finding, Json, JsonObject, LiveConfig, MergedEdit, Revised, Saved, StaleRefusal } from "../server/config_shapes";
import { at, isObject, put, same } from "../editor/pointer";
import { readText, written } from "../editor/raw";
import type { Choices } from "../editor/three_ways";
import { PreviewDesk } from "../setup/preview_desk";
import { act, dismissRefusal, showRefusal } from "./acts";
import { refresh } from "./console";
import { client } from "./session";

const CONFIG = "/api/admin/maintenance/config";

/** What the edit was begun from. */
export const live = signal<LiveConfig | null>(null);
export const form = signal<ConfigSchema | null>(null);
/** The edit, null while nothing differs from what was read. */
export const draft = signal<JsonObject | null>(null);
/** What was typed as text and is no document yet, null when text and edit say the same. */
const typed = signal<string | null>(null);
/** What the server makes of the edit as it stands, null until it has said so. */
export const revised = signal<Revised | null>(null);
/** The live config is no longer the one that the edit was begun from. */
export const stale = signal<StaleRefusal | null>(null);
export const saved = signal<Saved | null>(null);

export const shown = computed<JsonObject | null>(() => draft.value ?? live.value?.config ?? null);
export const edited = computed(() => draft.value !== null || typed.value !== null);
export const text = computed(() => typed.value ?? (shown.value ? written(shown.value) : ""));
export const textFault = computed(() => (typed.value === null ? null : readText(typed.value).fault));
export const findings = computed<readonly Finding[]>(() => revised.value?.validation.errors ?? []);
/** Somebody has saved since the edit was begun; nothing is lost, and saving will show both. */
export const changedMeanwhile = computed(() => draft.value !== null && revised.value !== null && revised.value.revision !== live.value?.revision);

const desk = new PreviewDesk<JsonObject, Revised>({
  ask: (asked) => client.post<Revised>(`${CONFIG}/preview`, { draft: asked }),
  answered: (answer) => {
    if (answer.ok) revised.value = answer;
    else if (answer.ok === false && answer.error !== "not_authenticated") showRefusal("editor", answer);
  },
});

/** Read the config and its form. An edit that is under way keeps what it was begun from. */
export async function readEditor(): Promise<void> {
  if (!edited.value) {
    const answer = await act("editor", "config-read", () => client.get<LiveConfig>(CONFIG));
    if (answer.ok && !edited.value) live.value = answer;
  }
  // Where there is nothing to be filled in, no form is asked for.
  if (form.value || shown.value === null) return;
  const schema = await act("editor", "config-schema", () => client.get<ConfigSchema>(`${CONFIG}/schema`));
  if (schema.ok) form.value = schema;
}

export function valueAt(pointer: string): Json | undefined {
  return at(shown.value ?? undefined, pointer);
}

export function change(pointer: string, value: Json | undefined): void {
  const before = shown.value;
  // A number that is still being typed, as "2.", is no change.
  if (before && !same(valueAt(pointer), value)) edit(put(before, pointer, value));
}

/** The whole document at once: a return to an earlier one, or the outcome of a comparison. */
export function edit(next: Json): void {
  if (!isObject(next)) return;
  typed.value = null;
  take(next);
}

export function typeText(next: string): void {
  const { config } = readText(next);
  typed.value = config && written(config) === next ? null : next;
  if (config) take(config);
}

function take(next: JsonObject): void {
  draft.value = same(next, live.value?.config ?? undefined) ? null : next;
  saved.value = null;
  if (draft.value) desk.want(next);
  else forgetReview();
}

function forgetReview(): void {
  desk.drop();
  revised.value = null;
  stale.value = null;
  dismissRefusal("editor");
}

/** Let go of the edit; the live config was never touched. */
export async function discardEdit(): Promise<void> {
  draft.value = null;
  typed.value = null;
  forgetReview();
  await readEditor();
}

export function reviewNow(): void {
  dismissRefusal("editor");
  if (draft.value) desk.wantNow(draft.value);
}

export async function save(backup: boolean): Promise<boolean> {
  const edit = draft.value;
  if (!edit || !live.value) return false;
  const body = { draft: edit, revision: live.value.revision, confirm: true, backup };
  const answer = await act("editor", "config-save", () => client.post<Saved>(`${CONFIG}/apply`, body));
  if (answer.ok) {
    // What was typed while the answer was on its way is the next edit.
    if (draft.value === edit) await discardEdit();
    saved.value = answer;
    await refresh();
    return true;
  }
  if (answer.ok === false && answer.error === "conflict") {
    dismissRefusal("editor");
    stale.value = answer;
  }
  if (answer.ok === false && answer.error === "validation_failed") reviewNow();
  return false;
}

/** Go on from the config that is live by now, with what was decided about each field. It is reviewed and saved anew. */
export async function decide(choices: Choices): Promise<boolean> {
  const met = stale.value;
  const mine = draft.value;
  if (!met || !mine) return false;
  const body = { draft: mine, baseline_revision: met.baseline_revision ?? null, choices };
  const answer = await act("editor", "config-merge", () => client.post<MergedEdit>(`${CONFIG}/merge`, body));
  if (!answer.ok) return false;
  if (answer.undecided.length > 0) {
    // It has changed once more: what is new is decided as well.
    stale.value = { ...met, revision: answer.revision, three_ways: answer.three_ways };
    return false;
  }
  const now = await client.get<LiveConfig>(CONFIG);
  // The revision that was merged with, not the one of this moment: a change in between is met at the next save.
  live.value = { config: now.ok ? now.config : null, revision: answer.revision };
  stale.value = null;
  edit(answer.draft);
  reviewNow();
  return true;
}

effect(() => {
  window.onbeforeunload = edited.value ? (event: BeforeUnloadEvent) => event.preventDefault() : null;
});
