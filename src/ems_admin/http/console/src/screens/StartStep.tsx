/** Step 5: start, watch it become healthy, done. */

import type { Deployment, EngineState } from "../server/shapes";
import { isBusy } from "../stores/acts";
import { actionAt, model, runningJob } from "../stores/console";
import { startDeployment } from "../stores/deployment";
import { openSetup } from "../stores/workflow";
import { ContainerInTheWay } from "../panels/ContainerInTheWay";
import { EngineUnreachable } from "../panels/EngineUnreachable";
import { interruptedOperation } from "../panels/Interrupted";
import { Button } from "../parts/Button";
import { Checks, verdictOf, type Check } from "../parts/Checks";
import { HousePicture } from "../parts/HousePicture";
import { Icon } from "../parts/Icon";
import { Note, Pill } from "../parts/Note";
import { ServiceList } from "../parts/ServiceList";
import { reachedFrom } from "../tab/reach";
import { go } from "../tab/route";
import { healthOf } from "./running";
import { jobOf, StepFrame } from "./StepFrame";

export function StartStep({ finished }: { finished?: boolean }) {
  const now = model.value;
  if (!now) return null;
  if (finished) return <Finished />;
  const deployment = now.deployment;
  return (
    <StepFrame
      step="start"
      title="Start your EMS"
      lead="Starts the services one after another and waits until each of them says that it is healthy."
      footer={<StartFooter />}
    >
      <section class="card card-flat">
        <h3>Ready for the start</h3>
        <Checks title="What the start needs" checks={checksOf(deployment, now.engine)} />
      </section>
      <EngineUnreachable engine={now.engine} />
      {deployment.conflict && <ContainerInTheWay conflict={deployment.conflict} />}
      {deployment.services.length > 0 && <ServiceList services={deployment.services} />}
      {errorsBesideWork(deployment).map((error) => (
        <Note key={error.code} tone="trouble" title={error.message} />
      ))}
    </StepFrame>
  );
}

/** What the work below tells by itself is not said twice. */
function errorsBesideWork(deployment: Deployment): Deployment["errors"] {
  const told = jobOf("start")?.error?.code;
  return deployment.errors.filter((error) => error.code !== told);
}

function checksOf(deployment: Deployment, engine: EngineState): Check[] {
  const prepared = deployment.state !== "none" && deployment.state !== "preparing";
  return [
    { key: "prepared", label: "Everything is put in place", verdict: verdictOf(prepared) },
    { key: "engine", label: engine.kind === "native" ? "The machine can run it" : "Docker answers", verdict: verdictOf(engine.code === null) },
  ];
}

function StartFooter() {
  const action = actionAt("/api/setup/deployment/start");
  const refused = action && !action.enabled ? (action.reason?.message ?? null) : null;
  return (
    <Button
      kind="primary"
      icon="bolt"
      busy={isBusy("start")}
      reason={runningJob.value ? "Wait until the work above has ended." : refused && interruptedOperation() ? "Go on with what was interrupted first." : refused}
      onClick={() => void startDeployment()}
    >
      Start EMS
    </Button>
  );
}

function Finished() {
  const now = model.value;
  if (!now) return null;
  const healthy = healthOf(now);
  const running = now.deployment.state === "running";
  return (
    <>
      <section class={running ? "hero hero-good" : "hero hero-plain"} aria-labelledby="finished">
        <div class="hero-words">
          <Pill tone={running ? (healthy === false ? "trouble" : "good") : "plain"}>
            {running ? (healthy === false ? "Unhealthy" : healthy === true ? "Healthy" : "Running") : "Finished"}
          </Pill>
          <h2 id="finished">{running ? "Your EMS is running" : "The setup is finished"}</h2>
          <p class="lead">
            {running
              ? "Setup is complete. From now on it works by itself; this console is here when you want to look or change something."
              : "The setup came to its end, but the EMS does not run at this moment."}
          </p>
          <div class="row">
            {now.deployment.dashboard_url && (
              <a class="button button-primary" href={reachedFrom(now.deployment.dashboard_url)} target="_blank" rel="noreferrer">
                <Icon name="out" />
                <span>Open the dashboard</span>
              </a>
            )}
            <Button kind={now.deployment.dashboard_url ? "plain" : "primary"} onClick={() => go("home")}>
              Go to home
            </Button>
          </div>
        </div>
        <HousePicture mood={running ? "running" : "resting"} />
      </section>
      {now.deployment.services.length > 0 && <ServiceList services={now.deployment.services} />}
      <section class="card card-flat">
        <h3>Something to change?</h3>
        <p class="soft">Going through the setup again begins with what runs now and shows every change before it is made.</p>
        <Button busy={isBusy("start-path")} onClick={() => void openSetup("setup")}>
          Set up again
        </Button>
      </section>
    </>
  );
}
