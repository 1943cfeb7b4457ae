/** A job while it runs and after: its steps, how far each is, what it wrote, and Stop while it can be stopped. */

import { useEffect, useRef } from "preact/hooks";
import type { Job, JobStep } from "../server/shapes";
import { isBusy, type Corner } from "../stores/acts";
import { actionAt } from "../stores/console";
import { stopJob } from "../stores/deployment";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { Pill, type Tone } from "../parts/Note";
import { duration } from "../parts/time";

const WORDS: Record<Job["status"], { tone: Tone; word: string }> = {
  running: { tone: "working", word: "Working" },
  succeeded: { tone: "good", word: "Done" },
  failed: { tone: "trouble", word: "Failed" },
};

export function JobProgress({ job, corner, title }: { job: Job; corner: Corner; title: string }) {
  const { tone, word } = WORDS[job.status];
  const frame = useRef<HTMLElement>(null);
  const running = job.status === "running";
  // On a phone the work would begin out of sight, below the button that was pressed.
  useEffect(() => {
    if (running) frame.current?.scrollIntoView({ block: "nearest" });
  }, [job.id, running]);
  return (
    <section class="job" aria-label={title} aria-busy={running} ref={frame}>
      <header class="job-head">
        <h3>{title}</h3>
        <Pill tone={tone}>{word}</Pill>
        <span class="hint">{duration(job.started_at, job.finished_at)}</span>
        <StopJob job={job} corner={corner} />
      </header>
      <ol class="job-steps">
        {job.steps.map((step) => (
          <StepLine key={step.key} step={step} />
        ))}
      </ol>
      {job.error && (
        <p class="job-error" role="alert">
          {job.error.message}
          {typeof job.error.detail === "string" && job.error.detail && <span class="hint job-detail">{job.error.detail}</span>}
        </p>
      )}
      {job.log.length > 0 && <LogTail lines={job.log} open={job.status === "failed"} />}
    </section>
  );
}

export function StopJob({ job, corner }: { job: Job; corner: Corner }) {
  if (job.status !== "running" || !canBeStopped(job)) return null;
  return (
    <Button kind="quiet" icon="stop" busy={isBusy(`stop-${job.id}`)} onClick={() => void stopJob(corner, job)}>
      Stop
    </Button>
  );
}

/** Steps that only fetch or try something: they can be broken off without leaving anything half done. */
const INTERRUPTIBLE: ReadonlySet<string> = new Set(["resolve", "import", "fetch", "pull", "smoke_run"]);

/** The server's word, where it gives one; it has the last one in any case (`job_not_cancellable`). */
function canBeStopped(job: Job): boolean {
  const said = job.cancellable ?? actionAt(`/api/admin/jobs/${job.id}/cancel`)?.enabled;
  return said ?? job.steps.some((step) => step.status === "running" && INTERRUPTIBLE.has(step.key));
}

function StepLine({ step }: { step: JobStep }) {
  const running = step.status === "running";
  return (
    <li class={`job-step job-step-${step.status}`} aria-current={running ? "step" : undefined}>
      <span class="job-sign">{running ? <span class="spinner" aria-hidden="true" /> : <Icon name={signOf(step.status)} />}</span>
      <span class="job-words">
        <span>{step.label}</span>
        <span class="for-ears">: {step.status}</span>
        {step.detail && <span class="hint">{step.detail}</span>}
        {running && step.percent !== null && <progress max={100} value={step.percent} aria-label={step.label} />}
      </span>
      {running && step.percent !== null && <span class="job-percent">{Math.round(step.percent)} %</span>}
    </li>
  );
}

function signOf(status: string): "tick" | "cross" | "dash" {
  if (status === "succeeded" || status === "done") return "tick";
  return status === "failed" ? "cross" : "dash";
}

const TAIL = 12;

export function LogTail({ lines, open }: { lines: readonly string[]; open: boolean }) {
  return (
    <details class="log" open={open}>
      <summary>Log</summary>
      <pre tabIndex={0} aria-label="The last lines of the log">
        {lines.slice(-TAIL).join("\n")}
      </pre>
    </details>
  );
}
