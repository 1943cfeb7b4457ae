/** Asking every part how it is. The newest answer is the newest job's. */

import { computed } from "@preact/signals";
import type { Diagnosis } from "../server/maintenance_shapes";
import { act } from "./acts";
import { newestJob, refresh } from "./console";
import { client } from "./session";

const KINDS = ["diagnostics"] as const;

export const diagnosing = computed(() => newestJob(KINDS));
export const diagnosis = computed<{ at: string; found: Diagnosis } | null>(() => {
  const job = diagnosing.value;
  if (job?.status !== "succeeded" || !job.result) return null;
  return { at: job.finished_at ?? job.started_at, found: job.result as Diagnosis };
});

export async function diagnose(): Promise<void> {
  await act("diagnostics", "diagnose", () => client.post("/api/admin/maintenance/diagnostics/run"));
  await refresh();
}
