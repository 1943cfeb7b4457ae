/** Step 4: put everything in place. Nothing is started yet. */

import { useEffect, useState } from "preact/hooks";
import type { Plan } from "../server/setup_shapes";
import { isBusy } from "../stores/acts";
import { actionAt, model, runningJob } from "../stores/console";
import { plan, prepareDeployment, readPlan } from "../stores/deployment";
import { furthest, openStep } from "../stores/workflow";
import { ConfirmOverwrite } from "../panels/ConfirmOverwrite";
import { EngineUnreachable } from "../panels/EngineUnreachable";
import { Button } from "../parts/Button";
import { Checks, type Check } from "../parts/Checks";
import { StepFrame } from "./StepFrame";
import { useRead } from "./useRead";

const REPLACES: ReadonlySet<string> = new Set(["existing_install_conflict", "workspace_conflict"]);

export function PrepareStep() {
  const job = runningJob.value;
  const prepared = furthest.value === "start";
  useRead(readPlan, true, job === null, prepared);
  useAutoAdvance(prepared);
  return (
    <StepFrame
      step="prepare"
      title="Put everything in place"
      lead="Saves a backup of what is there, writes the configuration, lays out what the EMS needs and checks it. Nothing is started yet."
      except={REPLACES}
      footer={<PrepareFooter prepared={prepared} />}
    >
      <section class="card card-flat">
        <h3>Before it begins</h3>
        <Checks title="What preparing needs" checks={checksOf(plan.value)} />
      </section>
      {plan.value && <EngineUnreachable engine={plan.value.engine} />}
      <ConfirmOverwrite
        corner="prepare"
        codes={REPLACES}
        title="Replace what is there?"
        label="Replace and prepare"
        onConfirm={() => void prepareDeployment(true)}
      />
    </StepFrame>
  );
}

function useAutoAdvance(prepared: boolean) {
  // Work may end before anybody has looked at it once: having asked for it counts as watching.
  const working = runningJob.value !== null || isBusy("prepare");
  const [watched, setWatched] = useState(false);
  useEffect(() => {
    if (!prepared && working) setWatched(true);
    if (prepared && watched) openStep("start");
  }, [prepared, watched, working]);
}

function checksOf(now: Plan | null): Check[] {
  const engine = model.value?.engine;
  return [
    { key: "release", label: "The files of the build are here", verdict: judge(now, now?.release != null) },
    { key: "config", label: "The configuration is reviewed and written", verdict: judge(now, now?.generated_config.ready === true) },
    { key: "engine", label: engine?.kind === "native" ? "This machine can run the EMS" : "Docker answers", verdict: judge(now, now !== null && now.engine.code === null) },
    { key: "identity", label: "The user that the EMS runs as is known", verdict: judge(now, now?.runtime_identity != null) },
    ...(now?.images ?? []).map(
      (image): Check => ({
        key: `image-${image.service}`,
        label: `The program of the service “${image.service}” is known`,
        verdict: image.present == null ? "yes" : image.present ? "yes" : "waiting",
        detail: image.present === false ? "is fetched while preparing" : null,
      }),
    ),
  ];
}

function judge(now: Plan | null, holds: boolean): Check["verdict"] {
  if (now === null) return "waiting";
  return holds ? "yes" : "no";
}

function PrepareFooter({ prepared }: { prepared: boolean }) {
  const action = actionAt("/api/setup/deployment/prepare");
  const refused = action && !action.enabled ? (action.reason?.message ?? null) : null;
  const working = runningJob.value !== null;
  return (
    <>
      {prepared && (
        <Button kind="primary" icon="arrow" onClick={() => openStep("start")}>
          Continue to start
        </Button>
      )}
      <Button
        kind={prepared ? "plain" : "primary"}
        busy={isBusy("prepare")}
        reason={working ? "Wait until the work above has ended." : refused}
        onClick={() => void prepareDeployment(false)}
      >
        {prepared ? "Prepare again" : "Prepare"}
      </Button>
    </>
  );
}
