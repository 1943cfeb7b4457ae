/** The six checks that a System Build has to pass, each with what was found. */

import { BUILD_CHECKS, type BuildCheck, type Verification } from "../server/setup_shapes";
import { Checks, verdictOf, type Check } from "../parts/Checks";

const LABELS: Record<BuildCheck, string> = {
  admin_image_available: "EMS Admin of this build is available",
  ems_image_available: "EMS of this build is available",
  revision_matches: "Both come from the same source",
  build_id_matches: "Both come from the same build",
  channel_matches: "Both belong to the same channel",
  resources_match: "The files are complete and unchanged",
};

/** `ready`: the files of the build are here already; before that, what is not known of them is simply not known yet. */
export function SixChecks({ result, ready }: { result: Verification | null; ready: boolean }) {
  return <Checks title="Build checks" columns checks={BUILD_CHECKS.map((key) => checkOf(key, result, ready))} />;
}

function checkOf(key: BuildCheck, result: Verification | null, ready: boolean): Check {
  const value = result?.checks[key];
  const waits = result === null || (key === "resources_match" && value == null && !ready);
  return { key, label: LABELS[key], verdict: waits ? "waiting" : verdictOf(value) };
}
