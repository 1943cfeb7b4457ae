/** Step 1: which System Build runs this home, and the six checks that it has to pass. */

import { useEffect, useState } from "preact/hooks";
import type { Verification } from "../server/setup_shapes";
import { isBusy } from "../stores/acts";
import { builds, chosenTag, readBuilds, verification, verifying } from "../stores/builds";
import { model, runningJob } from "../stores/console";
import { openStep } from "../stores/workflow";
import { isChange } from "../setup/release_act";
import { Note } from "../parts/Note";
import { NextActions } from "../panels/RefusalNote";
import { SixChecks } from "../panels/SixChecks";
import { BuildList } from "./BuildList";
import { ReleaseFooter } from "./ReleaseFooter";
import { buildIsReady, StepFrame } from "./StepFrame";
import { useRead } from "./useRead";

export function ReleaseStep() {
  useRead(readBuilds, builds.value === null);
  const ready = buildIsReady();
  const held = model.value?.setup?.selected_system_tag ?? null;
  const chosen = chosenTag.value;
  useAutoAdvance(ready && chosen === held);
  return (
    <StepFrame
      step="release"
      title="Choose a release"
      lead="A System Build is EMS Admin and EMS, built and tested together. It is checked piece by piece before anything of it is used."
      footer={<ReleaseFooter ready={ready} held={held} chosen={chosen} />}
    >
      <BuildList />
      <BuildChecks ready={ready && chosen === held} change={isAChange(chosen, held, ready)} />
    </StepFrame>
  );
}

function isAChange(chosen: string | null, held: string | null, ready: boolean): boolean {
  const operation = model.value?.setup?.operation_id ?? null;
  return chosen !== null && isChange({ chosen, held, ready, operation, state: verification.value?.action_state ?? null });
}

const CONTINUES = "continue-/api/admin/system-alignment/resume";

/** The tab that watched the build arrive goes on by itself; one that comes back later stays where it was put. */
function useAutoAdvance(ready: boolean) {
  // Work may end before anybody has looked at it once: having asked for it counts as watching.
  const working = runningJob.value !== null || isBusy("use-build") || isBusy(CONTINUES);
  const [watched, setWatched] = useState(false);
  useEffect(() => {
    if (!ready && working) setWatched(true);
    if (ready && watched) openStep("devices");
  }, [ready, watched, working]);
}

function BuildChecks({ ready, change }: { ready: boolean; change: boolean }) {
  const result = verification.value;
  if (!result && !verifying.value) return null;
  // That the setup is at another build is no fault of this one: the button below changes to it.
  const failed = change ? null : (result?.action_state.terminal_error ?? null);
  return (
    <section class="card card-flat" aria-busy={verifying.value}>
      <h3>{ready ? "Checked and in place" : verifying.value ? "Checking …" : "Checked"}</h3>
      <SixChecks result={result} ready={ready} />
      {failed && (
        <Note tone="trouble" title={failed.message}>
          <NextActions actions={failed.next_actions} corner="release" />
        </Note>
      )}
      {result?.summary && !failed && !change && !mayGoOn(result) && <Note tone="attention" title={result.summary} />}
      {result?.action_state.busy && <p class="soft">{result.action_state.progress_message}</p>}
    </section>
  );
}

function mayGoOn({ action_state: state }: Verification): boolean {
  return state.continue_allowed || state.busy;
}
