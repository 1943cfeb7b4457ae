/** The last place: what runs now, or what went wrong and every way on. */

import type { Diagnosis } from "../../server/maintenance_shapes";
import { RefusalNote } from "../../panels/RefusalNote";
import { Ways } from "../../panels/UnfinishedOperation";
import { WhatHappened } from "../../panels/WhatHappened";
import { Button } from "../../parts/Button";
import { Fact } from "../../parts/Fact";
import { HousePicture } from "../../parts/HousePicture";
import { Icon } from "../../parts/Icon";
import { Note, Pill } from "../../parts/Note";
import { ServiceList } from "../../parts/ServiceList";
import { clockTime } from "../../parts/time";
import type { Looked, LiveTransition } from "../../stores/console";
import { jobOfUpgrade } from "../../stores/upgrade_run";
import { examined } from "../../upgrade/examined";
import { outcomeOf } from "../../upgrade/outcome";
import { shownSteps } from "../../upgrade/steps";
import { reachedFrom } from "../../tab/reach";
import { Found } from "../maintenance/DiagnosticsRoom";
import { healthOf } from "../running";
import { Expired, hasExpired } from "./Expired";
import { StepList } from "./StepList";

interface DoneProps {
  now: Looked;
  operation: LiveTransition;
  onLeave: () => void;
}

export function Done({ now, operation, onLeave }: DoneProps) {
  const job = jobOfUpgrade(operation.operation_id);
  const found = examined(job);
  const healthy = healthOf(now);
  const dashboard = now.deployment.dashboard_url;
  return (
    <>
      <section class="hero hero-good" aria-labelledby="upgrade-done">
        <div class="hero-words">
          <Pill tone={healthy === false ? "trouble" : "good"}>{healthy === false ? "Unhealthy" : healthy ? "Healthy" : "Running"}</Pill>
          <h3 id="upgrade-done">Your EMS runs {operation.system_tag}</h3>
          <p class="lead">The upgrade is complete. This build is remembered as known-good: from now on it is the way back.</p>
          <dl class="hero-facts">
            <Fact name="EMS Admin" value={now.instance.system_tag ?? "unknown"} />
            <Fact name="Known-good" value={now.known_good?.system_tag ?? "none"} />
            <Fact name="Proven healthy" value={clockTime(now.known_good?.healthcheck_at)} />
          </dl>
          <div class="row">
            {dashboard && (
              <a class="button button-primary" href={reachedFrom(dashboard)} target="_blank" rel="noreferrer">
                <Icon name="out" />
                <span>Open the dashboard</span>
              </a>
            )}
            <Button kind={dashboard ? "plain" : "primary"} onClick={onLeave}>
              Done
            </Button>
          </div>
        </div>
        <HousePicture mood={healthy === false ? "troubled" : "running"} />
      </section>
      {now.deployment.services.length > 0 && <ServiceList services={now.deployment.services} />}
      {found && <Asked found={found} at={job?.finished_at ?? operation.updated_at} />}
    </>
  );
}

/** Where all is well a line says so; what is not is shown part by part. */
function Asked({ found, at }: { found: Diagnosis; at: string }) {
  if (found.summary.status !== "ok") return <Found at={at} found={found} />;
  return <Note tone="good" title={`Every part was asked, and all ${found.checks.length} are well`} />;
}

interface FailedProps {
  now: Looked;
  operation: LiveTransition;
}

export function Failed({ now, operation }: FailedProps) {
  const { steps, options } = now.upgrade;
  const outcome = outcomeOf(operation, now);
  const job = jobOfUpgrade(operation.operation_id);
  return (
    <section class="step" aria-labelledby="upgrade-failed">
      <section class={`hero hero-${outcome.tone} hero-short`} aria-labelledby="upgrade-failed">
        <div class="hero-words">
          <Pill tone={outcome.tone}>{outcome.word}</Pill>
          <h3 id="upgrade-failed">{outcome.headline}</h3>
          <p class="lead">{outcome.sentence}</p>
        </div>
        <HousePicture mood={outcome.mood} />
      </section>
      <div class="upgrade-run">
        <div class="stack">
          {hasExpired(operation) && <Expired operation={operation} options={options} />}
          <Note tone="attention" title="What happened" actions={!hasExpired(operation) && <Ways owner="guided_upgrade" operation={operation} corner="upgrade" backFirst={outcome.wentBack} />}>
            <WhatHappened operation={operation} />
            <RefusalNote corner="upgrade" />
          </Note>
        </div>
        <StepList steps={shownSteps(steps, { job: job?.status === "running" ? job : null, working: false, failedAt: operation.failed_stage ?? operation.stage })} />
      </div>
    </section>
  );
}
