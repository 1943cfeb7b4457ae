/** The second place: what the upgrade would do, piece by piece, and the one question before it begins. */

import { useState } from "preact/hooks";
import type { UpgradePlan } from "../../server/upgrade_shapes";
import { RefusalNote } from "../../panels/RefusalNote";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Listed } from "../../parts/EndsAndKeeps";
import { Icon } from "../../parts/Icon";
import { Note } from "../../parts/Note";
import { runningJob } from "../../stores/console";
import { differs, execute, leavePlan } from "../../stores/upgrade_plan";
import { isAsking } from "../../stores/upgrade_target";
import { interruptedWords } from "../../upgrade/words";
import { MigrationView, PartsCard, RoomCard, WayBackCard } from "./PlanCards";
import { FromTo } from "./Way";

export function PlanView({ plan, installed }: { plan: UpgradePlan; installed: string | null }) {
  const [asked, setAsked] = useState(false);
  return (
    <section class="step" aria-labelledby="upgrade-plan">
      <header class="step-head">
        <h3 id="upgrade-plan" tabIndex={-1}>
          The plan
        </h3>
        <p class="soft">This is what would happen, in this order. Nothing has been begun.</p>
      </header>
      {differs.value && <Changed />}
      <FromTo from={installed} to={plan.target.tag} />
      <Troubles plan={plan} />
      <div class="halves">
        <Interrupted plan={plan} />
        <PartsCard plan={plan} />
        <RoomCard plan={plan} />
        <WayBackCard plan={plan} />
      </div>
      <MigrationView plan={plan} />
      <PlannedSteps plan={plan} />
      <RefusalNote corner="upgrade" />
      <footer class="step-foot">
        <Button
          kind="primary"
          icon="bolt"
          busy={isAsking("execute")}
          reason={runningJob.value ? "Wait until the work that is under way has ended." : null}
          onClick={() => setAsked(true)}
        >
          Upgrade to {plan.target.tag}
        </Button>
        <Button onClick={leavePlan}>Back to the builds</Button>
      </footer>
      {asked && <Question plan={plan} onClose={() => setAsked(false)} />}
    </section>
  );
}

function Changed() {
  return (
    <Note tone="attention" title="The plan has changed meanwhile" urgent>
      <p>Nothing was begun. This is how it stands now; please look again.</p>
      <dl class="facts">
        {(differs.value ?? []).map(({ what, before, after }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <s>{before}</s> <Icon name="arrow" /> <span class="for-ears">now</span> {after}
            </dd>
          </div>
        ))}
      </dl>
    </Note>
  );
}

function Troubles({ plan }: { plan: UpgradePlan }) {
  return (
    <>
      {!plan.validation.ready && (
        <Note tone="trouble" title="The new build would not accept the configuration as it is">
          <ul class="bullets">
            {plan.validation.errors.map((finding) => (
              <li key={`${finding.code}${finding.pointer}`}>
                {finding.message} <code class="hint">{finding.pointer}</code>
              </li>
            ))}
          </ul>
        </Note>
      )}
      {plan.warnings.map((warning) => (
        <Note key={warning.code} tone="attention" title={warning.message}>
          {warning.detail && <p class="hint">{warning.detail}</p>}
        </Note>
      ))}
    </>
  );
}

function Interrupted({ plan }: { plan: UpgradePlan }) {
  return (
    <section class="card card-flat" aria-labelledby="plan-interrupted">
      <h4 id="plan-interrupted">What is interrupted</h4>
      {plan.interruptions.length === 0 ? (
        <p class="soft">Nothing.</p>
      ) : (
        <ul class="bullets">
          {plan.interruptions.map((one) => (
            <li key={`${one.kind} ${one.name}`}>{interruptedWords(one)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function PlannedSteps({ plan }: { plan: UpgradePlan }) {
  return (
    <details class="card card-flat plan-steps">
      <summary>All {plan.steps.length} steps, in order</summary>
      <ol class="advice">
        {plan.steps.map((step) => (
          <li key={step.key}>{step.label}</li>
        ))}
      </ol>
    </details>
  );
}

const KEEPS = ["the data of your EMS", "your backups", "the build that runs now, as the way back"];
const KEEPS_CONFIG = ["your configuration", ...KEEPS];

function Question({ plan, onClose }: { plan: UpgradePlan; onClose: () => void }) {
  return (
    <Dialog
      title={`Upgrade to ${plan.target.tag}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" busy={isAsking("execute")} onClick={() => void execute().finally(onClose)}>
            Upgrade now
          </Button>
        </>
      }
    >
      <Listed title="This is interrupted" items={plan.interruptions.map(interruptedWords)} />
      <Listed title="This stays exactly as it is" items={plan.migration.required ? KEEPS : KEEPS_CONFIG} />
    </Dialog>
  );
}
