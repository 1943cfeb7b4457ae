/** The exact preview: what the configuration would become, and the server's word that it may become that. */

import { computed, effect, signal } from "@preact/signals";
import type { Answer } from "../server/client";
import type { StaleRefusal } from "../server/config_shapes";
import type { Refusal } from "../server/shapes";
import type { Draft, Preview } from "../server/setup_shapes";
import { PreviewDesk } from "../setup/preview_desk";
import { dismissRefusal, showRefusal } from "./acts";
import { model, refresh } from "./console";
import { draft, forgetDraft } from "./draft";
import { client, onNewInstance } from "./session";
import { conflict, CONFLICT_CODES, identity, onConflict, raiseConflict, setupAct } from "./workflow";

export const preview = signal<Preview | null>(null);
export const previewing = signal(false);
/** The refusal that says the reviewed configuration is no longer the one on disk, or null. */
export const configChanged = signal<StaleRefusal | null>(null);

const CHANGED_CODES: ReadonlySet<string> = new Set([
  "stale_setup_config",
  "setup_preview_mismatch",
  "setup_preview_required",
  "stale_generated_config",
  "generated_config_review_required",
]);

const desk = new PreviewDesk<Draft, Preview>({
  ask: async (asked) => {
    previewing.value = true;
    const body = { setup_workflow_id: identity.value?.workflow_id, ...asked };
    return client.post<Preview>("/api/setup/config-preview", body);
  },
  answered: (answer) => {
    previewing.value = false;
    show(answer);
  },
});

function show(answer: Answer<Preview>): void {
  if (answer.ok === null) return;
  if (!answer.ok) {
    preview.value = null;
    if (CONFLICT_CODES.has(answer.error)) raiseConflict(answer);
    else if (answer.error !== "not_authenticated") showRefusal("config", answer);
    return;
  }
  dismissRefusal("config");
  configChanged.value = null;
  preview.value = answer;
  const held = identity.value;
  if (held) identity.value = { ...held, preview_id: answer.config_preview_id ?? null };
  // The buttons open when the server's own record names this preview.
  void refresh();
}

/** Ask for a preview of the draft as it stands, soon. Typing on puts it off. */
export function requestPreview(): void {
  // What has changed is reviewed when the operator says so, not behind the panel that asks.
  if (conflict.value || configChanged.value || !identity.value) return;
  desk.want(draft.value);
}

/** Ask now: the operator clicked. */
export function reviewAgain(): void {
  configChanged.value = null;
  preview.value = null;
  desk.wantNow(draft.value);
}

/** Let go of what was typed in this browser; the setup on the server stays as it is. */
export function discardDraft(): void {
  forgetDraft();
  configChanged.value = null;
  drop();
}

function drop(): void {
  desk.drop();
  previewing.value = false;
  preview.value = null;
}

onConflict(() => {
  drop();
  // Another setup's changed configuration is not this one's to review.
  configChanged.value = null;
});
onNewInstance(drop);

// Another draft than the previewed one is not what the server has approved.
let previewedDraft = JSON.stringify(draft.value);
effect(() => {
  const now = JSON.stringify(draft.value);
  if (now === previewedDraft) return;
  previewedDraft = now;
  drop();
});

/** The id that opens Write and Apply: issued for this draft, and by the last look still the one the server holds. */
export const authority = computed<string | null>(() => {
  const issued = preview.value?.ready ? (preview.value.config_preview_id ?? null) : null;
  if (issued === null || conflict.value || configChanged.value) return null;
  return model.value?.setup?.preview?.preview_id === issued ? issued : null;
});

/** Whether the configuration of this workflow is written and waits to be prepared. */
export const configIsWritten = computed(() => model.value?.setup?.generated === true);

export async function commit(kind: "write" | "apply", overwrite: boolean): Promise<Answer<unknown>> {
  const body = {
    setup_workflow_id: identity.value?.workflow_id,
    config_preview_id: authority.value,
    ...draft.value,
    ...(overwrite ? { overwrite: true } : {}),
  };
  const answer = await setupAct("config", `config-${kind}`, () => client.post(`/api/setup/config/${kind}`, body));
  if (answer.ok === false) noticeChange(answer);
  return answer;
}

export function noticeChange(refusal: Refusal): void {
  if (!CHANGED_CODES.has(refusal.error)) return;
  drop();
  // The panel takes the place of the sentence beside the button.
  dismissRefusal("config");
  dismissRefusal("prepare");
  configChanged.value = refusal;
}
