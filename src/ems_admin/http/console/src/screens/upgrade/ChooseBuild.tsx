/** The first place: which build the upgrade leads to, whether it passes its checks, and how it is to be done. */

import { RefusalNote, NextActions } from "../../panels/RefusalNote";
import { SixChecks } from "../../panels/SixChecks";
import { BuildCard } from "../../parts/BuildCard";
import { Button } from "../../parts/Button";
import { Note } from "../../parts/Note";
import type { Build } from "../../server/setup_shapes";
import { runningJob } from "../../stores/console";
import { makePlan } from "../../stores/upgrade_plan";
import { chooseTarget, isAsking, mayBePlanned, readTargets, target, targets, verified, verifying, verifyTarget } from "../../stores/upgrade_target";
import { whyNot } from "../../upgrade/words";
import { useRead } from "../useRead";
import { UpgradeOptions } from "./UpgradeOptions";

export function ChooseBuild({ installed }: { installed: string | null }) {
  useRead(readTargets, targets.value === null);
  return (
    <section class="step" aria-labelledby="choose-build">
      <header class="step-head">
        <h3 id="choose-build" tabIndex={-1}>
          Choose a newer build
        </h3>
        <p class="soft">A System Build is EMS Admin and EMS, built and tested together. Choosing changes nothing yet.</p>
      </header>
      <Targets installed={installed} />
      {target.value && <Verified />}
      {target.value && <UpgradeOptions />}
      <RefusalNote corner="upgrade" />
      {target.value && <Footer />}
    </section>
  );
}

function Targets({ installed }: { installed: string | null }) {
  const offered = targets.value;
  if (offered === null) return <div class="bone" aria-busy="true" />;
  const newer = offered.filter((build) => build.selectable);
  return (
    <>
      {newer.length === 0 && (
        <Note tone="good" title="Nothing newer is on offer" actions={<Button icon="restart" onClick={() => void readTargets()}>Look again</Button>}>
          <p>What is installed is the newest build that the catalogue has{installed ? `: ${installed}` : ""}.</p>
        </Note>
      )}
      <fieldset class="builds">
        <legend class="for-ears">Target of the upgrade</legend>
        {newer.map((build) => (
          <Choice key={build.system_tag} build={build} reason={null} />
        ))}
        {offered
          .filter((build) => !build.selectable)
          .map((build) => (
            <Choice key={build.system_tag} build={build} reason={whyNot(build.reason, build.system_tag, installed)} />
          ))}
      </fieldset>
    </>
  );
}

function Choice({ build, reason }: { build: Build; reason: string | null }) {
  return (
    <BuildCard
      list="target"
      build={build}
      chosen={build.system_tag === target.value}
      waits={runningJob.value !== null}
      reason={reason}
      onChoose={() => chooseTarget(build.system_tag)}
    />
  );
}

function Verified() {
  const result = verified.value;
  if (!result && !verifying.value) return null;
  const state = result?.action_state;
  return (
    <section class="card card-flat" aria-busy={verifying.value}>
      <h4>{verifying.value ? "Checking …" : "Checked"}</h4>
      <SixChecks result={result} ready={false} />
      {state?.terminal_error && (
        <Note tone="trouble" title={state.terminal_error.message}>
          <NextActions actions={state.terminal_error.next_actions} corner="upgrade" />
        </Note>
      )}
      {state && !state.terminal_error && state.admin_update_allowed && (
        <p class="hint">It brings its own EMS Admin, which takes over on the way. Your EMS keeps running meanwhile.</p>
      )}
      {state?.busy && <p class="soft">{state.progress_message}</p>}
    </section>
  );
}

function Footer() {
  const failed = !verifying.value && verified.value === null;
  return (
    <footer class="step-foot">
      <Button
        kind="primary"
        icon="arrow"
        busy={isAsking("plan")}
        disabled={!mayBePlanned.value}
        reason={runningJob.value ? "Wait until the work that is under way has ended." : null}
        onClick={() => void makePlan()}
      >
        Make a plan
      </Button>
      {failed && (
        <Button icon="restart" busy={isAsking("verify")} onClick={() => void verifyTarget()}>
          Check again
        </Button>
      )}
      <p class="hint step-foot-words">The plan shows what is interrupted and what changes. Nothing is begun before you say so there.</p>
    </footer>
  );
}
