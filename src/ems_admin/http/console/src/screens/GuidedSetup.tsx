/** Guided Setup: five steps, one after another, each opened by what the server has stored. */

import { useEffect, useRef } from "preact/hooks";
import type { Refusal, SetupWorkflow } from "../server/shapes";
import { ConfigChanged } from "../panels/ConfigChanged";
import { endAsked } from "../panels/EndSetup";
import { ExistingInstall, EXISTING_INSTALL } from "../panels/ExistingInstall";
import { NextActions, RefusalNote } from "../panels/RefusalNote";
import { cleanupIsUnfinished, UnfinishedCleanup } from "../panels/UnfinishedCleanup";
import { WorkflowConflict } from "../panels/WorkflowConflict";
import { isBusy } from "../stores/acts";
import { actionAt, model, runningJob, setupFault } from "../stores/console";
import { conflict, furthest, openSetup, openStep, step } from "../stores/workflow";
import { isReachable, never, STEP_TITLES, STEPS, type Step } from "../setup/steps";
import { Button } from "../parts/Button";
import { HousePicture } from "../parts/HousePicture";
import { Icon } from "../parts/Icon";
import { Note } from "../parts/Note";
import { Waiting } from "../parts/Waiting";
import { ConfigStep } from "./ConfigStep";
import { DevicesStep } from "./DevicesStep";
import { PrepareStep } from "./PrepareStep";
import { ReleaseStep } from "./ReleaseStep";
import { StartStep } from "./StartStep";

export function GuidedSetup() {
  const now = model.value;
  if (!now) return <Waiting what="the setup" />;
  const setup = now.setup;
  return (
    <div class="stack-wide">
      <SetupHead setup={setup} />
      <WorkflowConflict />
      <ConfigChanged />
      <RefusalNote corner="setup" except={setup && owesCleanup(setup) ? SAID_BY_PANEL : EXISTING_INSTALL} />
      <ExistingInstall corner="setup" />
      {setupFault.value ? <UnreadableSetup fault={setupFault.value} /> : <SetupBody setup={setup} />}
    </div>
  );
}

/** The panel of an unfinished cleanup says more than the refusal that leads to it. */
const SAID_BY_PANEL: ReadonlySet<string> = new Set([
  ...EXISTING_INSTALL,
  "setup_cleanup_required",
  "abandon_cleanup_incomplete",
  "setup_artifact_review_required",
]);

function owesCleanup(setup: SetupWorkflow): boolean {
  return setup.status !== "active" && cleanupIsUnfinished(setup.cleanup.state);
}

function SetupHead({ setup }: { setup: SetupWorkflow | null }) {
  const abandon = actionAt("/api/setup/abandon");
  return (
    <header class="page-head page-head-quiet">
      <h1>Guided setup</h1>
      {/* An older tab may not end the setup that took the place of its own. */}
      {setup?.status === "active" && !conflict.value && (
        <Button
          kind="quiet"
          icon="restart"
          reason={abandon && !abandon.enabled ? (abandon.reason?.message ?? null) : null}
          reasonIsShown={runningJob.value !== null}
          onClick={() => (endAsked.value = "restart")}
        >
          Restart setup
        </Button>
      )}
    </header>
  );
}

function UnreadableSetup({ fault }: { fault: Refusal }) {
  return (
    <Note tone="trouble" title="The record of this setup cannot be read" actions={<NextActions actions={fault.next_actions} corner="setup" />}>
      <p>{fault.message}</p>
      <p>Nothing is changed and nothing is guessed until it can be read again.</p>
    </Note>
  );
}

function SetupBody({ setup }: { setup: SetupWorkflow | null }) {
  if (setup && owesCleanup(setup)) return <UnfinishedCleanup workflow={setup} />;
  if (!setup) return <Beginning />;
  switch (setup.status) {
    case "active":
      return <Steps />;
    case "completed":
      return <StartStep finished />;
    case "abandoned":
    case "superseded":
      return <Beginning />;
    default:
      return never(setup.status);
  }
}

function Beginning() {
  return (
    <section class="hero hero-plain">
      <div class="hero-words">
        <h2>From here to a running EMS in five steps</h2>
        <ol class="preview-steps">
          <li>Choose the release that runs your home.</li>
          <li>Add batteries, inverters and the grid meter.</li>
          <li>Look at the configuration before it is written.</li>
          <li>Let everything be prepared.</li>
          <li>Start, and see it healthy.</li>
        </ol>
        <Button kind="primary" busy={isBusy("start-path")} onClick={() => void openSetup("setup")}>
          Begin setup
        </Button>
      </div>
      <HousePicture mood="resting" />
    </section>
  );
}

function Steps() {
  const here = step.value;
  const body = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) body.current?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    first.current = false;
  }, [here]);
  return (
    <div class="setup">
      <StepRail here={here} />
      {/* An old tab shows what it has, but nothing in it can be pressed. */}
      <div class="setup-body" ref={body} inert={conflict.value !== null}>
        <StepBody step={here} />
      </div>
    </div>
  );
}

function StepRail({ here }: { here: Step }) {
  const last = furthest.value;
  return (
    <nav class="rail" aria-label="Steps of the setup">
      <p class="rail-count">
        Step {STEPS.indexOf(here) + 1} of {STEPS.length}
      </p>
      <ol>
        {STEPS.map((name, index) => {
          const passed = STEPS.indexOf(last) > index;
          const open = isReachable(name, last);
          return (
            <li key={name} class={passed ? "rail-step rail-passed" : "rail-step"}>
              <button type="button" disabled={!open} aria-current={name === here ? "step" : undefined} onClick={() => openStep(name)}>
                <span class="rail-sign">{passed && name !== here ? <Icon name="tick" /> : index + 1}</span>
                <span class="rail-title">{STEP_TITLES[name]}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function StepBody({ step: name }: { step: Step }) {
  switch (name) {
    case "release":
      return <ReleaseStep />;
    case "devices":
      return <DevicesStep />;
    case "config":
      return <ConfigStep />;
    case "prepare":
      return <PrepareStep />;
    case "start":
      return <StartStep />;
    default:
      return never(name);
  }
}
