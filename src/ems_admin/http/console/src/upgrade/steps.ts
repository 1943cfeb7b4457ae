/** The ordered steps of an upgrade as they stand: what the records have settled, and what the work of this moment adds. */

import type { Job, JobStep } from "../server/shapes";
import type { StepStanding, UpgradeStepView } from "../server/upgrade_shapes";
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
  failed: boolean;
}

/** The records outlive every job, so they give the list; a job knows more of its own steps. */
export function shownSteps(stored: readonly UpgradeStepView[], moment: Moment): readonly ShownStep[] {
  if (stored.length === 0) return (moment.job?.steps ?? []).map((step) => ofJob(step));
  // Only work that goes on knows better than the records: what a failure has undone is open again by them.
  const running = moment.job?.status === "running" ? moment.job.steps.find((one) => one.status === "running") : undefined;
  const reached = running ? stored.findIndex(({ step }) => step === running.key) : -1;
  return stored.map(({ step, label, standing }, index) => {
    if (running && index === reached) return { ...ofJob(running), label };
    if (index < reached) return { key: step, label, sign: "done", detail: null, percent: null };
    const sign = signOf(standing, { ...moment, working: moment.working && reached < 0 });
    return { key: step, label, sign, detail: null, percent: null };
  });
}

function ofJob({ key, label, status, detail, percent }: JobStep): ShownStep {
  return { key, label, sign: SIGNS[status] ?? "waiting", detail, percent };
}

const SIGNS: Readonly<Record<string, StepSign>> = { running: "running", succeeded: "done", done: "done", failed: "failed" };

function signOf(standing: StepStanding, { working, failed }: Moment): StepSign {
  switch (standing) {
    case "settled":
      return "done";
    case "next":
      return working ? "running" : failed ? "failed" : "waiting";
    case "open":
      return "waiting";
    default:
      return never(standing);
  }
}
