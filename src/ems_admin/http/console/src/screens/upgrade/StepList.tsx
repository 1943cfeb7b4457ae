/** The rail of the ordered steps: what is done, what is under way and how far, what is still to come. */

import type { ShownStep, StepSign } from "../../upgrade/steps";
import { Icon } from "../../parts/Icon";

const SPOKEN: Record<StepSign, string> = { done: "done", running: "under way", failed: "failed", waiting: "to come" };

/** Nothing where the records of an upgrade cannot tell its steps. */
export function StepList({ steps }: { steps: readonly ShownStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section class="card card-flat" aria-label="The way through it">
      <ol class="job-steps upgrade-steps" aria-label="Steps of the upgrade">
        {steps.map((step) => (
          <Line key={step.key} step={step} />
        ))}
      </ol>
    </section>
  );
}

function Line({ step: { label, sign, detail, percent } }: { step: ShownStep }) {
  const running = sign === "running";
  return (
    <li class={`job-step job-step-${sign}`} aria-current={running ? "step" : undefined}>
      <span class="job-sign">{running ? <span class="spinner" aria-hidden="true" /> : <Icon name={iconOf(sign)} />}</span>
      <span class="job-words">
        <span>{label}</span>
        <span class="for-ears">: {SPOKEN[sign]}</span>
        {detail && <span class="hint">{detail}</span>}
        {running && percent !== null && <progress max={100} value={percent} aria-label={label} />}
      </span>
      {running && percent !== null && <span class="job-percent">{Math.round(percent)} %</span>}
    </li>
  );
}

function iconOf(sign: StepSign): "tick" | "cross" | "dash" {
  if (sign === "done") return "tick";
  return sign === "failed" ? "cross" : "dash";
}
