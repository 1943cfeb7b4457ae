/** The replacement of EMS Admin while it is under way. The last that was read is kept while nobody answers. */

import { computed, effect, signal } from "@preact/signals";
import type { Replacement } from "../server/lifecycle_shapes";
import { isBeingReplaced } from "../operation/replacing";
import { model, runningJob, transition } from "./console";
import { reachable } from "./session";

interface Watched {
  operation_id: string;
  system_tag: string;
  replacement: Replacement | null;
}

export const watched = signal<Watched | null>(null);

effect(() => {
  const live = transition.value;
  if (live?.stage !== "admin_reconnect_pending") {
    if (model.value) watched.value = null;
    return;
  }
  const before = watched.peek();
  const kept = before?.operation_id === live.operation_id ? before.replacement : null;
  watched.value = { operation_id: live.operation_id, system_tag: live.system_tag, replacement: live.replacement ?? kept };
});

const UPDATES: ReadonlySet<string> = new Set(["system_build_update_admin", "admin_update", "build_return"]);

/** Whether the page of the reconnect stands in the place of the screen. */
export const replacing = computed(() => {
  const live = transition.value;
  if (live && isBeingReplaced(live)) return true;
  // It may go away before anybody has seen that it is about to.
  return !reachable.value && UPDATES.has(runningJob.value?.kind ?? "");
});
