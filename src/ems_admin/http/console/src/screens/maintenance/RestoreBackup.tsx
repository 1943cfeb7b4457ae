/** Going back to a backup: what would change, one confirmation, and what came of it. */

import { useEffect, useState } from "preact/hooks";
import type { ConflictPolicy, RestorePlan } from "../../server/maintenance_shapes";
import { JobProgress } from "../../panels/JobProgress";
import { RefusalNote } from "../../panels/RefusalNote";
import { jobTitle } from "../../setup/jobs";
import { isBusy } from "../../stores/acts";
import { model, newestJob } from "../../stores/console";
import { forgetPlan, planned, previewRestore, restore } from "../../stores/restoring";
import { beginsFromLive } from "../../stores/merging";
import { compared } from "../../stores/backups";
import { openSetup } from "../../stores/workflow";
import { Button } from "../../parts/Button";
import { DiffView } from "../../parts/DiffView";
import { Note } from "../../parts/Note";
import { go } from "../../tab/route";
import { AskFirst } from "./AskFirst";

export function RestoreBackup({ id, password }: { id: string; password: string | null }) {
  const [policy, setPolicy] = useState<ConflictPolicy>("take_backup");
  const [asked, setAsked] = useState(false);
  const [begun, setBegun] = useState<string | null>(null);
  useEffect(() => forgetPlan, [id]);
  const held = planned.value?.wish.id === id ? planned.value : null;
  // What it would change is the comparison with today, and more.
  const look = (next: ConflictPolicy) => (setPolicy(next), (compared.value = null), void previewRestore({ id, scope: "config", password, policy: next }));
  const job = newestJob(["backup_restore"]);
  const own = job && job.id === begun ? job : null;
  return (
    <section class="card card-flat" aria-labelledby="restore">
      <h3 id="restore">Go back to it</h3>
      <p class="soft">The configuration and its passwords come back. What runs, and its data, are left alone.</p>
      {own && own.status !== "succeeded" && <JobProgress job={own} corner="restore" title={jobTitle(own.kind)} />}
      {own?.status === "succeeded" && <Restored />}
      {held && <Policy policy={policy} onChoose={look} />}
      {held?.changed && (
        <Note tone="attention" title="The configuration has changed meanwhile" urgent>
          <p>Nothing was restored. What stands below is new; look at it once more.</p>
        </Note>
      )}
      {held && <WhatItDoes plan={held.plan} />}
      <RefusalNote corner="restore" />
      <div class="row">
        {held ? (
          <>
            <Button kind="primary" icon="restart" busy={isBusy("restore")} disabled={!held.plan.plan_id || !held.plan.changed} onClick={() => setAsked(true)}>
              Restore
            </Button>
            <Button onClick={forgetPlan}>Not now</Button>
          </>
        ) : (
          <Button busy={isBusy("restore-preview")} onClick={() => look(policy)}>
            See what would change
          </Button>
        )}
      </div>
      {asked && (
        <AskFirst
          title="Restore this backup?"
          yes="Restore now"
          no="Leave it as it is"
          busy={isBusy("restore")}
          onClose={() => setAsked(false)}
          onYes={() => void restore().then((started) => (setAsked(false), started && setBegun(started.id)))}
        >
          <p>Your configuration becomes what you have just seen. A copy of what is there now is kept in the history.</p>
        </AskFirst>
      )}
    </section>
  );
}

function WhatItDoes({ plan }: { plan: RestorePlan }) {
  const secrets = plan.secrets_added.length + plan.secrets_changed.length;
  return (
    <>
      {!plan.validation.ready && (
        <Note tone="trouble" title="It does not fit the build that is installed">
          <ul class="bullets">
            {plan.validation.errors.map((error) => (
              <li key={`${error.code}${error.pointer}`}>{error.message}</li>
            ))}
          </ul>
        </Note>
      )}
      <DiffView diff={plan.diff} />
      {secrets > 0 && <p class="hint">{secrets === 1 ? "One stored password comes" : `${secrets} stored passwords come`} back with it.</p>}
    </>
  );
}

const POLICIES: readonly { policy: ConflictPolicy; label: string; hint: string }[] = [
  { policy: "take_backup", label: "Exactly as in the backup", hint: "What was added or changed since is undone." },
  { policy: "keep_live", label: "Only what is missing today", hint: "Where both say something, today's value stays." },
];

function Policy({ policy, onChoose }: { policy: ConflictPolicy; onChoose: (policy: ConflictPolicy) => void }) {
  return (
    <fieldset class="choices">
      <legend>How much of it</legend>
      {POLICIES.map((option) => (
        <label key={option.policy} class={option.policy === policy ? "choice choice-taken" : "choice"}>
          <input type="radio" name="conflict-policy" checked={option.policy === policy} onChange={() => onChoose(option.policy)} />
          <span>
            <strong>{option.label}</strong>
            <span class="hint">{option.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Restored() {
  const installed = model.value?.deployment.state === "running";
  return (
    <Note
      tone="good"
      title="The configuration is back"
      urgent
      actions={
        installed ? (
          <Button onClick={() => go("maintenance", "containers")}>Open services</Button>
        ) : (
          <Button kind="primary" busy={isBusy("start-path")} onClick={() => ((beginsFromLive.value = true), void openSetup("restore", true))}>
            Go on with guided setup
          </Button>
        )
      }
    >
      <p>{installed ? "The EMS reads it anew when it is restarted; its switches and limits hold already." : "Guided setup begins with it: choose a build, look at your devices, start."}</p>
    </Note>
  );
}
