/** Unfinished setup or update: what is not at its end, who may take it on or end it, and recovery where nobody can. */

import { JobProgress } from "../panels/JobProgress";
import { RecoveryCard } from "../panels/RecoveryCard";
import { RecoveryDialogs } from "../panels/RecoveryDialogs";
import { NextActions, RefusalNote } from "../panels/RefusalNote";
import { cleanupIsUnfinished, UnfinishedCleanup } from "../panels/UnfinishedCleanup";
import { unfinishedOperation, UnfinishedOperation } from "../panels/UnfinishedOperation";
import { asked } from "../stores/recovery";
import { isBusy } from "../stores/acts";
import { model, runningJob, setupFault, type Looked } from "../stores/console";
import { openSetup } from "../stores/workflow";
import { jobTitle } from "../setup/jobs";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { Waiting } from "../parts/Waiting";
import { RoomNav } from "./maintenance/RoomNav";
import { OWNERS, ownerSentence } from "./owner";

export function RecoveryScreen() {
  const now = model.value;
  if (!now) return <Waiting what="what is unfinished" />;
  const job = runningJob.value;
  return (
    <div class="stack-wide">
      <header class="page-head page-head-quiet">
        <h1>Unfinished setup or update</h1>
      </header>
      <div class="house-plan">
        <RoomNav here="unfinished" />
        <div class="room-body">
          <p class="soft">{ownerSentence(now.lifecycle.state, now.lifecycle.owner)}</p>
          {job && <JobProgress job={job} corner="recovery" title={jobTitle(job.kind)} />}
          <Unreadable now={now} />
          <UnfinishedOperation corner="recovery" />
          <UnfinishedSetup now={now} />
          {!unfinishedOperation() && !asked.value && <RefusalNote corner="recovery" />}
          <FreeTheConsole now={now} />
          <RecoveryCard />
        </div>
      </div>
      <RecoveryDialogs />
    </div>
  );
}

/** A record that cannot be read is said to be so; it is not guessed at, and nothing about it can be pressed here. */
function Unreadable({ now }: { now: Looked }) {
  const fault = setupFault.value;
  return (
    <>
      {fault && (
        <Note tone="trouble" title="The record of the setup cannot be read" actions={<NextActions actions={elsewhere(fault.next_actions)} corner="recovery" />}>
          <p>{fault.message}</p>
        </Note>
      )}
      {now.alignment.error != null && (
        <Note tone="trouble" title="The record of the operation cannot be read">
          <p>Nothing is changed and nothing is guessed until that is settled; see below what recovery can do.</p>
        </Note>
      )}
    </>
  );
}

/** Recovery itself stands below already. */
function elsewhere<T extends { path: string }>(actions: readonly T[]): readonly T[] {
  return actions.filter((action) => !action.path.startsWith("/api/admin/workflow-lifecycle"));
}

function UnfinishedSetup({ now }: { now: Looked }) {
  const setup = now.setup;
  if (!setup) return null;
  if (setup.status !== "active") return cleanupIsUnfinished(setup.cleanup.state) ? <UnfinishedCleanup workflow={setup} /> : null;
  // With an operation of its own it is that operation's panel that speaks for the setup.
  if (unfinishedOperation() || now.lifecycle.owner !== "guided_setup") return null;
  return (
    <Note
      tone="attention"
      title="A setup is not finished"
      actions={
        <Button kind="primary" busy={isBusy("start-path")} onClick={() => void openSetup("recovery")}>
          Continue guided setup
        </Button>
      }
    >
      <p>No operation of it is under way. What you entered is kept.</p>
    </Note>
  );
}

/**
 * Only switches that would end something are offered; what stands against one is said by its dialog. Where it cannot be
 * said whose the console is, nothing is there to be switched from: recovery alone leads on.
 */
function FreeTheConsole({ now }: { now: Looked }) {
  if (now.lifecycle.owner === "unknown" || now.lifecycle.owner === "conflict") return null;
  const offered = now.actions.filter((action) => action.path === "/api/admin/workflow-lifecycle/switch");
  if (offered.length === 0) return null;
  return (
    <section class="card card-flat" aria-labelledby="free-the-console">
      <h2 id="free-the-console">Do something else</h2>
      <p class="soft">{OWNERS[now.lifecycle.owner]} has the console to itself. What would be ended, and what stays, is shown before anything is done.</p>
      <NextActions actions={offered} corner="recovery" />
    </section>
  );
}
