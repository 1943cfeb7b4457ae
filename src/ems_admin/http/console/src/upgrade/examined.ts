/** What the look at every part has found at the end of an upgrade. */

import type { Job } from "../server/shapes";
import type { Diagnosis, DiagnosticCheck } from "../server/maintenance_shapes";

/** Asked while the upgrade was still open: what is said of the upgrade itself is history once it is complete. */
const OF_ITSELF: ReadonlySet<string> = new Set(["ems", "admin", "operation"]);
const GRAVEST_FIRST: readonly DiagnosticCheck["status"][] = ["failed", "warning", "unavailable", "ok"];

/** What was found of all other parts, null where nobody looked. */
export function examined(job: Job | null): Diagnosis | null {
  if (job?.status !== "succeeded" || !isDiagnosis(job.result)) return null;
  const checks = job.result.checks.filter((check) => !OF_ITSELF.has(check.key));
  const counted = { ok: 0, warning: 0, failed: 0, unavailable: 0 };
  for (const { status } of checks) counted[status] += 1;
  return { checks, summary: { status: GRAVEST_FIRST.find((status) => counted[status] > 0) ?? "ok", ...counted } };
}

function isDiagnosis(result: unknown): result is Diagnosis {
  return typeof result === "object" && result !== null && "checks" in result;
}
