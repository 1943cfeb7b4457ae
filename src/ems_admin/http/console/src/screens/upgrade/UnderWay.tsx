/** The third place: the upgrade at work, step by step; while EMS Admin is replaced, what is known of that. */

import type { Job } from "../../server/shapes";
import type { UpgradeView } from "../../server/upgrade_view";
import { jobTitle } from "../../setup/jobs";
import { LogTail, StopJob } from "../../panels/JobProgress";
import { RefusalNote } from "../../panels/RefusalNote";
import { UnfinishedOperation } from "../../panels/UnfinishedOperation";
import { Pill } from "../../parts/Note";
import { duration } from "../../parts/time";
import { runningJob, type LiveTransition } from "../../stores/console";
import { replacing } from "../../stores/replacement";
import { jobOfUpgrade } from "../../stores/upgrade_run";
import { shownSteps } from "../../upgrade/steps";
import { Reconnect } from "../Reconnect";
import { Expired, hasExpired } from "./Expired";
import { StepList } from "./StepList";
import { FromTo } from "./Way";

interface UnderWayProps {
  operation: LiveTransition;
  upgrade: UpgradeView;
  installed: string | null;
}

export function UnderWay({ operation, upgrade, installed }: UnderWayProps) {
  const job = jobOfUpgrade(operation.operation_id);
  const working = runningJob.value !== null || operation.worker_active === true || replacing.value;
  return (
    <section class="step" aria-labelledby="upgrade-run">
      <header class="step-head">
        <h3 id="upgrade-run" tabIndex={-1}>
          Upgrading to {operation.system_tag}
        </h3>
        <p class="soft">{working && "You can leave this page; the work goes on. "}Everything that is done stays done, also after a power cut.</p>
      </header>
      <FromTo from={installed} to={operation.system_tag} />
      <div class="upgrade-run">
        <div class="stack">
          <Now operation={operation} upgrade={upgrade} job={job} working={working} />
        </div>
        <StepList steps={shownSteps(upgrade.steps, { job, working, failedAt: null })} />
      </div>
    </section>
  );
}

interface NowProps {
  operation: LiveTransition;
  upgrade: UpgradeView;
  job: Job | null;
  working: boolean;
}

function Now({ operation, upgrade, job, working }: NowProps) {
  if (replacing.value) return <Reconnect inside />;
  if (hasExpired(operation)) return <Expired operation={operation} options={upgrade.options} />;
  if (!working) {
    // Also where somebody else's work stands against it: the panel offers what the server names.
    return operation.worker_active ? null : <UnfinishedOperation corner="upgrade" />;
  }
  return (
    <>
      {job && <AtWork job={job} />}
      <RefusalNote corner="upgrade" />
    </>
  );
}

function AtWork({ job }: { job: Job }) {
  const step = job.steps.find((one) => one.status === "running");
  return (
    <section class="job" aria-label={jobTitle(job.kind)} aria-busy={job.status === "running"}>
      <header class="job-head">
        <h4>{step?.label ?? jobTitle(job.kind)}</h4>
        <Pill tone="working">Working</Pill>
        <span class="hint">{duration(job.started_at, job.finished_at)}</span>
        <StopJob job={job} corner="upgrade" />
      </header>
      {step?.detail && <p class="soft">{step.detail}</p>}
      {job.log.length > 0 && <LogTail lines={job.log} open />}
    </section>
  );
}
