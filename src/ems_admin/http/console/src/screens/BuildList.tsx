/** The System Builds on offer, as a choice; each that cannot be taken says why. */

import type { Build } from "../server/setup_shapes";
import { builds, choose, chosenTag, readBuilds } from "../stores/builds";
import { runningJob } from "../stores/console";
import { BuildCard } from "../parts/BuildCard";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";

export function BuildList() {
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

/** The Admin of another build is brought here first. */
function needsItsAdmin(build: Build): boolean {
  const code = build.reason !== null && typeof build.reason === "object" ? build.reason.code : build.reason;
  return code === "system_build_alignment_required";
}

function BuildChoice({ build, chosen }: { build: Build; chosen: boolean }) {
  return (
    <BuildCard
      list="build"
      build={build}
      chosen={chosen}
      waits={runningJob.value !== null}
      reason={build.selectable ? null : reasonOf(build)}
      onChoose={() => choose(build.system_tag)}
    >
      {needsItsAdmin(build) && <p class="hint">Comes with another EMS Admin than the one that runs here, which is updated first.</p>}
    </BuildCard>
  );
}

function reasonOf(build: Build): string {
  if (build.reason !== null && typeof build.reason === "object") return build.reason.message;
  return "Cannot be chosen on this machine at the moment.";
}
