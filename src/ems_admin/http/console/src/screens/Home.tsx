/** Home: what runs, what is going on, and the two doors. */

import type { Action } from "../server/shapes";
import { ExistingInstall, EXISTING_INSTALL } from "../panels/ExistingInstall";
import { JobProgress } from "../panels/JobProgress";
import { wayOf } from "../panels/next_actions";
import { RefusalNote } from "../panels/RefusalNote";
import { EngineUnreachable } from "../panels/EngineUnreachable";
import { isBusy } from "../stores/acts";
import { actionAt, model, runningJob, type Looked } from "../stores/console";
import { openSetup, step } from "../stores/workflow";
import { STEP_TITLES } from "../setup/steps";
import { jobTitle } from "../setup/jobs";
import { Button } from "../parts/Button";
import { HousePicture } from "../parts/HousePicture";
import { Icon } from "../parts/Icon";
import { Note, Pill } from "../parts/Note";
import { clockTime } from "../parts/time";
import { Waiting } from "../parts/Waiting";
import { reachedFrom } from "../tab/reach";
import { address, go } from "../tab/route";
import { needsDecision, ownerSentence } from "./owner";
import { healthOf, runningSince, runningWords } from "./running";

export function Home() {
  const now = model.value;
  if (!now) return <Waiting what="what runs" />;
  const job = runningJob.value;
  return (
    <div class="stack-wide">
      <WhatRuns now={now} />
      <EngineUnreachable engine={now.engine} />
      {now.warnings.map((warning) => (
        <Note key={warning.code} tone="attention" title={warning.message} />
      ))}
      {needsDecision(now.lifecycle.state) && <Undecided now={now} />}
      <RefusalNote corner="home" except={EXISTING_INSTALL} />
      <ExistingInstall corner="home" />
      {job && <JobProgress job={job} corner="home" title={jobTitle(job.kind)} />}
      <div class="doors">
        <SetupDoor now={now} />
        {now.install_state.state === "none" && !now.setup && <RestoreDoor />}
        <MaintenanceDoor now={now} />
      </div>
      <RightNow now={now} />
    </div>
  );
}

function Undecided({ now }: { now: Looked }) {
  return (
    <Note tone="attention" title="Something waits for your decision" actions={<Button onClick={() => go("recovery")}>See what is unfinished</Button>}>
      <p>{ownerSentence(now.lifecycle.state, now.lifecycle.owner)}</p>
    </Note>
  );
}

function WhatRuns({ now }: { now: Looked }) {
  const words = runningWords(now.deployment.state, healthOf(now));
  const runs = now.deployment.state === "running";
  return (
    <section class={`hero hero-${words.tone}`} aria-labelledby="what-runs">
      <div class="hero-words">
        <Pill tone={words.tone}>{words.word}</Pill>
        <h1 id="what-runs">{words.headline}</h1>
        <p class="lead">{words.sentence}</p>
        <dl class="hero-facts">
          <div>
            <dt>System Build</dt>
            <dd>{(runs && now.known_good?.system_tag) || now.instance.system_tag || "unknown"}</dd>
          </div>
          <div>
            <dt>{runs ? "Running since" : "EMS Admin since"}</dt>
            <dd>{clockTime(runs ? runningSince(now) : now.instance.started_at)}</dd>
          </div>
          <div>
            <dt>Runs on</dt>
            <dd>{now.engine.kind === "native" ? "This machine" : "Docker"}</dd>
          </div>
        </dl>
        {now.deployment.dashboard_url && (
          <a class="button button-primary" href={reachedFrom(now.deployment.dashboard_url)} target="_blank" rel="noreferrer">
            <Icon name="out" />
            <span>Open the dashboard</span>
          </a>
        )}
      </div>
      <HousePicture mood={words.mood} />
    </section>
  );
}

function SetupDoor({ now }: { now: Looked }) {
  const active = now.setup?.status === "active";
  const action = actionAt("/api/admin/start-path");
  return (
    <section class="door card" aria-labelledby="door-setup">
      <span class="door-sign">
        <Icon name="setup" size="large" />
      </span>
      <h2 id="door-setup">Guided setup</h2>
      <p class="soft">
        {active
          ? `In progress, at the step ${STEP_TITLES[step.value]}. What you entered is kept.`
          : "Choose a release, add your devices, look at the configuration, start. Every change is shown before it is made."}
      </p>
      <Button
        kind={now.deployment.state === "running" && !active ? "plain" : "primary"}
        busy={isBusy("start-path")}
        reason={action && !action.enabled && !active ? (action.reason?.message ?? null) : null}
        onClick={() => void openSetup("home")}
      >
        {active ? "Continue guided setup" : "Start guided setup"}
      </Button>
    </section>
  );
}

/** Where nothing is installed yet, an earlier configuration may be brought back first. */
function RestoreDoor() {
  return (
    <section class="door card" aria-labelledby="door-restore">
      <span class="door-sign">
        <Icon name="safe" size="large" />
      </span>
      <h2 id="door-restore">Restore a backup</h2>
      <p class="soft">From an earlier machine or an earlier try: bring its configuration back, and guided setup begins with it.</p>
      <Button onClick={() => go("maintenance", "backups")}>Restore a backup</Button>
    </section>
  );
}

function MaintenanceDoor({ now }: { now: Looked }) {
  return (
    <section class="door card" aria-labelledby="door-maintenance">
      <span class="door-sign">
        <Icon name="maintenance" size="large" />
      </span>
      <h2 id="door-maintenance">Maintenance</h2>
      <p class="soft">
        {now.deployment.state === "running"
          ? "Change the configuration, look after services and backups, bring a newer build here."
          : "For an EMS that is already running: look after its configuration, services and backups."}
      </p>
      <Button onClick={() => go("maintenance")}>Open maintenance</Button>
    </section>
  );
}

function RightNow({ now }: { now: Looked }) {
  const { operation } = now.lifecycle;
  const possible = now.actions.filter((action) => action.enabled && !standsBehindADoor(action) && wayOf(action, "home"));
  return (
    <section class="card" aria-labelledby="right-now">
      <h2 id="right-now">Right now</h2>
      <p class="soft">
        {ownerSentence(now.lifecycle.state, now.lifecycle.owner)}
        {operation && ` ${jobTitle(operation.kind)}, since ${clockTime(operation.started_at)}.`}
      </p>
      {possible.length > 0 && (
        <ul class="row" aria-label="What can be done now">
          {possible.map((action) => (
            <li key={action.key}>
              <PossibleAction action={action} />
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={address("state")}>See every state and why a button is off</a>
      </p>
    </section>
  );
}

/** The doors above are not offered twice; going on with what was begun is. */
function standsBehindADoor({ path }: Action): boolean {
  return path === "/api/admin/start-path" || (path.startsWith("/api/admin/maintenance/") && !path.endsWith("/resume"));
}

function PossibleAction({ action }: { action: Action }) {
  const way = wayOf(action, "home");
  return way && <Button onClick={way}>{action.label}</Button>;
}
