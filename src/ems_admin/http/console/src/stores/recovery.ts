/** Recovery: what it can do is asked of the server, and done only against exactly what was shown. */

import { signal } from "@preact/signals";
import type { Recovered, RecoveryMode, RecoveryPreview } from "../server/lifecycle_shapes";
import { act, dismissRefusal } from "./acts";
import { refresh } from "./console";
import { client, onNewInstance } from "./session";
import { forgetSetup } from "./workflow";

export const recoveryPreview = signal<RecoveryPreview | null>(null);

/** The question that is open: the preview it was asked on stands still while it is read. */
export interface Asked {
  mode: RecoveryMode;
  preview: RecoveryPreview;
  /** Something changed while it was read; what stands there now is new. */
  changed: boolean;
}

export const asked = signal<Asked | null>(null);
/** What the last recovery has done. */
export const recovered = signal<Recovered | null>(null);

const PATH = "/api/admin/workflow-lifecycle/recovery";

export async function readRecovery(): Promise<RecoveryPreview | null> {
  const answer = await act("recovery", "recovery-preview", () => client.post<RecoveryPreview>(`${PATH}/preview`));
  if (!answer.ok) return null;
  recoveryPreview.value = answer;
  return answer;
}

export function askRecovery(mode: RecoveryMode): void {
  const preview = recoveryPreview.value;
  if (preview) asked.value = { mode, preview, changed: false };
}

export function leaveRecovery(): void {
  asked.value = null;
  dismissRefusal("recovery-dialog");
}

export async function recover(reason?: string): Promise<void> {
  const question = asked.value;
  if (!question) return;
  const { mode, preview } = question;
  const body = { mode, confirm: true, fingerprint: preview.fingerprint, ...(reason === undefined ? {} : { reason }) };
  const answer = await act("recovery-dialog", "recover", () => client.post<Recovered>(PATH, body));
  if (answer.ok) {
    asked.value = null;
    recovered.value = answer;
    await refresh();
    // The setup of this browser is over when the recovery has ended it; after the look, which still may know it.
    if (answer.actions?.includes("setup_cleanup")) forgetSetup();
    await readRecovery();
    return;
  }
  if (answer.ok === false && answer.error === "workflow_lifecycle_changed" && !question.changed) {
    // Once by itself: whoever reads a question that keeps changing has to hear why.
    const fresh = await readRecovery();
    if (fresh && asked.value) asked.value = { mode, preview: fresh, changed: true };
    dismissRefusal("recovery-dialog");
    return;
  }
  await refresh();
}

onNewInstance(() => {
  recoveryPreview.value = null;
  asked.value = null;
});
