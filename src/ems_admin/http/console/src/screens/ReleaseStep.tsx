/** Step 1: which System Build runs this home, and the six checks that it has to pass. */

import { useEffect, useState } from "preact/hooks";
import { BUILD_CHECKS, type Build, type BuildCheck, type Verification } from "../server/setup_shapes";
import { isBusy } from "../stores/acts";
import { builds, changeBuild, choose, chosenTag, readBuilds, useBuild, verification, verifying, verify } from "../stores/builds";
import { actionAt, model, runningJob } from "../stores/console";
import { openStep } from "../stores/workflow";
import { Button } from "../parts/Button";
import { Checks, verdictOf, type Check } from "../parts/Checks";
import { Dialog } from "../parts/Dialog";
import { Note, Pill } from "../parts/Note";
import { day } from "../parts/time";
import { NextActions } from "../panels/RefusalNote";
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
      <BuildChecks ready={ready && chosen === held} />
    </StepFrame>
  );
}

/** The tab that watched the build arrive goes on by itself; one that comes back later stays where it was put. */
function useAutoAdvance(ready: boolean) {
  // Work may end before anybody has looked at it once: having asked for it counts as watching.
  const working = runningJob.value !== null || isBusy("use-build");
  const [watched, setWatched] = useState(false);
  useEffect(() => {
    if (!ready && working) setWatched(true);
    if (ready && watched) openStep("devices");
  }, [ready, watched, working]);
}

function BuildList() {
  const offered = builds.value;
  if (offered === null) return <div class="bone" aria-busy="true" />;
  if (offered.length === 0) {
    return (
      <Note tone="attention" title="No build is on offer" actions={<Button onClick={() => void readBuilds()}>Look again</Button>}>
        <p>The catalogue is empty or could not be reached. When it answers, its builds appear here.</p>
      </Note>
    );
  }
  return (
    <fieldset class="builds">
      <legend class="for-ears">System Build</legend>
      {offered.map((build) => (
        <BuildChoice key={build.system_tag} build={build} chosen={build.system_tag === chosenTag.value} />
      ))}
    </fieldset>
  );
}

function BuildChoice({ build, chosen }: { build: Build; chosen: boolean }) {
  const id = `build-${build.system_tag}`;
  return (
    <div class={`build ${build.selectable ? "" : "build-off"} ${chosen ? "build-chosen" : ""}`}>
      <input
        type="radio"
        name="build"
        id={id}
        checked={chosen}
        disabled={!build.selectable || runningJob.value !== null}
        aria-describedby={`${id}-words`}
        onChange={() => choose(build.system_tag)}
      />
      <div>
        <label for={id}>
          <span class="build-tag">{build.system_tag}</span>
          {build.recommended && <Pill tone="good">Recommended</Pill>}
          {build.channel !== "stable" && <Pill tone="plain">{CHANNELS[build.channel] ?? build.channel}</Pill>}
        </label>
        <div id={`${id}-words`} class="build-words">
          <p class="hint">
            Released {day(build.released_at)} · build {build.build_id}
          </p>
          {build.notes && <p>{build.notes}</p>}
          {!build.selectable && <p class="build-reason">{reasonOf(build)}</p>}
        </div>
      </div>
    </div>
  );
}

const CHANNELS: Readonly<Record<string, string>> = { rc: "Release candidate", development: "Development", local: "Made on this machine" };

function reasonOf(build: Build): string {
  if (build.reason !== null && typeof build.reason === "object") return build.reason.message;
  if (build.reason === "system_build_alignment_required") {
    return "Belongs to another EMS Admin than the one that runs here. EMS Admin would have to be updated to it first.";
  }
  return "Cannot be chosen on this machine at the moment.";
}

const CHECK_LABELS: Record<BuildCheck, string> = {
  admin_image_available: "EMS Admin of this build is available",
  ems_image_available: "EMS of this build is available",
  revision_matches: "Both come from the same source",
  build_id_matches: "Both come from the same build",
  channel_matches: "Both belong to the same channel",
  resources_match: "The files are complete and unchanged",
};

function BuildChecks({ ready }: { ready: boolean }) {
  const result = verification.value;
  if (!result && !verifying.value) return null;
  const failed = result?.action_state.terminal_error ?? null;
  return (
    <section class="card card-flat" aria-busy={verifying.value}>
      <h3>{ready ? "Checked and in place" : verifying.value ? "Checking …" : "Checked"}</h3>
      <Checks title="Build checks" columns checks={BUILD_CHECKS.map((key) => checkOf(key, result, ready))} />
      {failed && (
        <Note tone="trouble" title={failed.message}>
          <NextActions actions={failed.next_actions} corner="release" />
        </Note>
      )}
      {result?.summary && !failed && !mayGoOn(result) && <Note tone="attention" title={result.summary} />}
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

function ReleaseFooter({ ready, held, chosen }: { ready: boolean; held: string | null; chosen: string | null }) {
  const [asked, setAsked] = useState(false);
  const action = actionAt("/api/setup/releases/prepare");
  const busy = isBusy("use-build") || isBusy("change-build");
  if (chosen === null) return null;
  if (ready && chosen === held) {
    return (
      <Button kind="primary" icon="arrow" onClick={() => openStep("devices")}>
        Continue to devices
      </Button>
    );
  }
  const another = held !== null && model.value?.setup?.operation_id != null && chosen !== held;
  const refused = runningJob.value ? "Wait until the work above has ended." : action && !action.enabled ? (action.reason?.message ?? null) : null;
  const unproven = verification.value === null || !verification.value.action_state.continue_allowed;
  return (
    <>
      <Button
        kind="primary"
        busy={busy}
        disabled={unproven}
        reason={refused}
        onClick={() => (another ? setAsked(true) : void useBuild(chosen))}
      >
        Use this build
      </Button>
      {unproven && !verifying.value && !runningJob.value && (
        <Button icon="restart" onClick={() => void verify(chosen)}>
          Check again
        </Button>
      )}
      {asked && (
        <Dialog
          title={`Change to ${chosen}?`}
          onClose={() => setAsked(false)}
          actions={
            <>
              <Button onClick={() => setAsked(false)}>Stay with {held}</Button>
              <Button kind="primary" busy={busy} onClick={() => void changeBuild(chosen).finally(() => setAsked(false))}>
                Change build
              </Button>
            </>
          }
        >
          <p>The setup begins again with the other build. Your devices and options stay; the configuration has to be reviewed and written again.</p>
        </Dialog>
      )}
    </>
  );
}
