/** What is live, brought back into the draft of a setup: field by field after a change, or all of it at the beginning. */

import { signal } from "@preact/signals";
import type { MergedDraft, StaleRefusal } from "../server/config_shapes";
import type { Choices } from "../editor/three_ways";
import { act, type Corner } from "./acts";
import { draft, useExample } from "./draft";
import { configChanged } from "./preview";
import { client } from "./session";

const MERGE = "/api/setup/config/merge";

/** Places of the config that a setup has no word for: they come from its build again. */
export const leftOut = signal<readonly string[]>([]);
/** The setup that begins next goes on from the config that is here. */
export const beginsFromLive = signal(false);

export async function mergeDraft(refusal: StaleRefusal, choices: Choices): Promise<boolean> {
  const body = { ...draft.value, baseline_revision: refusal.baseline_revision ?? null, choices };
  const answer = await act("config", "config-merge", () => client.post<MergedDraft>(MERGE, body));
  if (!answer.ok) return false;
  if (answer.undecided.length > 0) {
    // It has changed once more: what is new is decided as well.
    configChanged.value = { ...refusal, revision: answer.config_revision, three_ways: answer.three_ways } as StaleRefusal;
    return false;
  }
  leftOut.value = answer.left_out;
  useExample(answer.draft);
  return true;
}

/** Fill the cards from the config that is live, in place of whatever is in them. */
export async function beginFromLive(corner: Corner): Promise<void> {
  beginsFromLive.value = false;
  const body = { ...draft.value, baseline_revision: null, take: "live" };
  const answer = await act(corner, "begin-from-live", () => client.post<MergedDraft>(MERGE, body));
  if (!answer.ok) return;
  leftOut.value = answer.left_out;
  useExample(answer.draft);
}
