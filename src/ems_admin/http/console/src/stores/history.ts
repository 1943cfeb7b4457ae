/** Every config that was once live, what each had changed, and the way back to one. */

import { signal } from "@preact/signals";
import type { History, JsonObject, KeptRevision, RevisionView } from "../server/config_shapes";
import type { Diff } from "../server/setup_shapes";
import { Generation } from "../tab/generation";
import { act } from "./acts";
import { discardEdit, edit, readEditor, reviewNow } from "./editor";
import { client } from "./session";

const HISTORY = "/api/admin/maintenance/config/history";

export const history = signal<History | null>(null);
/** The line that is open: a revision may stand in more than one. */
export const opened = signal<{ sequence: number; diff: Diff | null } | null>(null);

const generation = new Generation();

export async function readHistory(): Promise<void> {
  const answer = await act("history", "history", () => client.get<History>(HISTORY));
  if (answer.ok) history.value = answer;
}

export async function openRevision({ sequence, revision }: KeptRevision): Promise<void> {
  generation.raise();
  const wanted = generation.mark();
  opened.value = null;
  const answer = await act("history", `history-${sequence}`, () => client.get<RevisionView>(`${HISTORY}/${encodeURIComponent(revision)}`));
  if (answer.ok && wanted()) opened.value = { sequence, diff: answer.diff };
}

export function closeRevision(): void {
  generation.raise();
  opened.value = null;
}

/** The earlier config becomes the edit. Nothing is written before it is reviewed and saved. */
export async function prepareReturn(revision: string): Promise<boolean> {
  const answer = await act("history", "prepare-return", () =>
    client.post<{ draft: JsonObject }>("/api/admin/maintenance/config/prepare-return", { revision }),
  );
  if (!answer.ok) return false;
  await discardEdit();
  edit(answer.draft);
  // Where no config was live before, its form is needed only now.
  void readEditor();
  reviewNow();
  return true;
}
