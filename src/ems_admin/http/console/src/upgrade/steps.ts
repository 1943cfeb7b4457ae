/** The ordered steps of an upgrade as they stand: what the records have settled, and what the work of this moment adds. */

import type { SystemAlignmentState } from "../generated/machines";
import type { Job, JobStep } from "../server/shapes";
import type { StepStanding, UpgradeStepView } from "../server/upgrade_view";
import { never } from "../setup/steps";

export type StepSign = "done" | "running" | "failed" | "waiting";

export interface ShownStep {
  key: string;
  label: string;
  sign: StepSign;
  detail: string | null;
  percent: number | null;
}

export interface Moment {
  /** The work on the upgrade: the running one, or the last that ended. */
  job: Job | null;
  /** Somebody works on it, here or elsewhere. */
  working: boolean;
  /** Where it has failed, null while it has not. */
  failedAt: SystemAlignmentState | null;
}

/** The records outlive every job, so they give the list; a job knows more of its own steps. */
export function shownSteps(stored: readonly UpgradeStepView[], moment: Moment): readonly ShownStep[] {
  if (stored.length === 0) return (moment.job?.steps ?? []).map((step) => ofJob(step));
  // Only work that goes on knows better than the records: what a failure has undone is open again by them.
  const running = moment.job?.status === "running" ? moment.job.steps.find((one) => one.status === "running") : undefined;
  const reached = running ? stored.findIndex(({ key }) => key === running.key) : -1;
  const failed = moment.failedAt && (FAILS_AS[moment.failedAt] ?? stored.find(({ standing }) => standing === "next")?.key);
  return stored.map(({ key, label, standing }, index) => {
    if (running && index === reached) return { ...ofJob(running), label };
    if (index < reached) return { key, label, sign: "done", detail: null, percent: null };
    const sign = key === failed ? "failed" : signOf(standing, moment.working && reached < 0);
    return { key, label, sign, detail: null, percent: null };
  });
}

/** Once the EMS was touched, what is to be done again begins before the step that failed. */
const FAILS_AS: Partial<Record<SystemAlignmentState, string>> = { ems_operation_running: "recreate_ems", healthcheck_pending: "diagnostics" };

function ofJob({ key, label, status, detail, percent }: JobStep): ShownStep {
  return { key, label, sign: SIGNS[status] ?? "waiting", detail, percent };
}

const SIGNS: Readonly<Record<string, StepSign>> = { running: "running", succeeded: "done", done: "done", failed: "failed" };

function signOf(standing: StepStanding, working: boolean): StepSign {
  switch (standing) {
    case "settled":
      return "done";
    case "next":
      return working ? "running" : "waiting";
    case "open":
      return "waiting";
    default:
      return never(standing);
  }
}
