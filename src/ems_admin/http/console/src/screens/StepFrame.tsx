/** What every step has: its title, what it is for, its refusal, its work, and the way on at the end. */

import type { ComponentChildren } from "preact";
import { Interrupted } from "../panels/Interrupted";
import { JobProgress } from "../panels/JobProgress";
import { RefusalNote } from "../panels/RefusalNote";
import { model, newestJob, transition } from "../stores/console";
import { jobTitle, kindsShownOn } from "../setup/jobs";
import { ownTransition, resourcesAreReady, type Step } from "../setup/steps";
import type { Job } from "../server/shapes";

interface StepFrameProps {
  step: Step;
  title: string;
  lead: string;
  children: ComponentChildren;
  footer?: ComponentChildren;
  /** Refusals that the step answers by itself, with a question. */
  except?: ReadonlySet<string>;
}

export function StepFrame({ step, title, lead, children, footer, except }: StepFrameProps) {
  const job = jobOf(step);
  return (
    <section class="step" aria-labelledby={`step-${step}`}>
      <header class="step-head">
        <h2 id={`step-${step}`} tabIndex={-1}>
          {title}
        </h2>
        <p class="soft">{lead}</p>
      </header>
      <Interrupted corner={step} />
      {children}
      {job && <JobProgress job={job} corner={step} title={jobTitle(job.kind)} />}
      <RefusalNote corner={step} {...(except ? { except } : {})} />
      {footer && <footer class="step-foot">{footer}</footer>}
    </section>
  );
}

/** The job to show on a step: the running one, or the newest that ended there. */
export function jobOf(step: Step): Job | null {
  return newestJob(kindsShownOn(step, buildIsReady()), model.value?.setup?.workflow_id);
}

export function buildIsReady(): boolean {
  const own = ownTransition(model.value?.setup ?? null, transition.value);
  return own !== null && resourcesAreReady(own.stage, own.failed_stage ?? null);
}
