/** Switching the console: what it would do is asked first, and confirmed against exactly that. */

import { effect, signal, untracked } from "@preact/signals";
import type { SwitchPreview, Switched, SwitchTarget } from "../server/lifecycle_shapes";
import type { Refusal } from "../server/shapes";
import { go } from "../tab/route";
import { act, dismissRefusal, refusals, type Corner } from "./acts";
import { refresh } from "./console";
import { client } from "./session";
import { adopt, beginning, forgetSetup, step } from "./workflow";

export interface Switching {
  preview: SwitchPreview;
  /** Something changed while the dialog was read; what stands there now is new. */
  changed: boolean;
}

export const switching = signal<Switching | null>(null);

const PREVIEW = "/api/admin/workflow-lifecycle/switch/preview";

export async function askSwitch(corner: Corner, target: SwitchTarget): Promise<void> {
  const answer = await act(corner, `switch-${target}`, () => client.post<SwitchPreview>(PREVIEW, { target }));
  if (answer.ok) switching.value = { preview: answer, changed: false };
}

export function leaveSwitch(): void {
  switching.value = null;
  dismissRefusal("switch");
}

export async function confirmSwitch(): Promise<void> {
  const asked = switching.value;
  if (!asked || asked.preview.blocked) return;
  const { target, fingerprint } = asked.preview;
  const body = { target, confirm: true, fingerprint };
  const answer = await beginning(async () => {
    const given = await act("switch", "switch", () => client.post<Switched>("/api/admin/workflow-lifecycle/switch", body));
    if (given.ok) adopt(given);
    await refresh();
    return given;
  });
  if (answer.ok) {
    switching.value = null;
    // After the look, so that the setup that has just ended is not taken for one that this tab does not know yet.
    if (answer.action === "discard_guided_setup") forgetSetup();
    if (target === "guided_upgrade") go("maintenance", "upgrade");
    else go(answer.setup_workflow_id ? "setup" : "home", answer.setup_workflow_id ? step.value : undefined);
    return;
  }
  if (answer.ok === false && answer.error === "workflow_lifecycle_changed" && !asked.changed) await lookAgain(target);
}

/** Once by itself: whoever reads a dialog that keeps changing has to hear why. */
async function lookAgain(target: SwitchTarget): Promise<void> {
  const answer = await act("switch", "switch-again", () => client.post<SwitchPreview>(PREVIEW, { target }));
  if (answer.ok && switching.value) switching.value = { preview: answer, changed: true };
}

/** Where a Setup may not begin because something else owns the console, the question is asked at once. */
effect(() => {
  for (const corner of ["home", "setup", "recovery"] as const) {
    const refusal = refusals.value[corner];
    if (refusal?.error === "workflow_switch_required") untracked(() => open(corner, refusal));
  }
});

function open(corner: Corner, refusal: Refusal): void {
  const { switch_preview: preview } = refusal as Refusal & { switch_preview?: SwitchPreview };
  dismissRefusal(corner);
  if (preview) switching.value = { preview, changed: false };
  else void askSwitch(corner, "guided_setup");
}

