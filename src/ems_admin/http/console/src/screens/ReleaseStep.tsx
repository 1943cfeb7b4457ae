/** Step 1: which System Build runs this home, and the six checks that it has to pass. */

import { useEffect, useState } from "preact/hooks";
import { BUILD_CHECKS, type BuildCheck, type Verification } from "../server/setup_shapes";
import { isBusy } from "../stores/acts";
import { builds, chosenTag, readBuilds, verification, verifying } from "../stores/builds";
import { model, runningJob } from "../stores/console";
import { openStep } from "../stores/workflow";
import { isChange } from "../setup/release_act";
import { Checks, verdictOf, type Check } from "../parts/Checks";
import { Note } from "../parts/Note";
import { NextActions } from "../panels/RefusalNote";
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

const CHECK_LABELS: Record<BuildCheck, string> = {
  admin_image_available: "EMS Admin of this build is available",
  ems_image_available: "EMS of this build is available",
  revision_matches: "Both come from the same source",
  build_id_matches: "Both come from the same build",
  channel_matches: "Both belong to the same channel",
  resources_match: "The files are complete and unchanged",
};

function BuildChecks({ ready, change }: { ready: boolean; change: boolean }) {
  const result = verification.value;
  if (!result && !verifying.value) return null;
  // That the setup is at another build is no fault of this one: the button below changes to it.
  const failed = change ? null : (result?.action_state.terminal_error ?? null);
  return (
    <section class="card card-flat" aria-busy={verifying.value}>
      <h3>{ready ? "Checked and in place" : verifying.value ? "Checking …" : "Checked"}</h3>
      <Checks title="Build checks" columns checks={BUILD_CHECKS.map((key) => checkOf(key, result, ready))} />
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

function checkOf(key: BuildCheck, result: Verification | null, ready: boolean): Check {
  const value = result?.checks[key];
  const waits = result === null || (key === "resources_match" && value == null && !ready);
  return { key, label: CHECK_LABELS[key], verdict: waits ? "waiting" : verdictOf(value) };
}
