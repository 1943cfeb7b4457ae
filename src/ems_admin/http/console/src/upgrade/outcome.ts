/** What a failed upgrade has come to, claiming no more than what is seen to run. */

import type { SystemAlignmentState } from "../generated/machines";
import type { Mood } from "../parts/HousePicture";
import type { Tone } from "../parts/Note";
import type { ConsoleModel, Transition, TransitionFacts } from "../server/shapes";
import { never } from "../setup/steps";

export interface Outcome {
  tone: Tone;
  mood: Mood;
  word: string;
  headline: string;
  sentence: string;
  /** What ran before runs again: going on would only try the same once more. */
  wentBack: boolean;
}

type Seen = Pick<ConsoleModel, "known_good" | "deployment">;

export function outcomeOf(operation: Transition & TransitionFacts, seen: Seen): Outcome {
  const runs = knownGoodThatRuns(seen);
  const touched = operation.failed_stage == null || isTouched(operation.failed_stage);
  if (runs !== null && touched) {
    return {
      tone: "attention",
      mood: "running",
      word: "Gone back",
      headline: `Your EMS runs ${runs} again`,
      sentence: `${operation.system_tag} was tried and did not do well. The build that worked before is back.`,
      wentBack: true,
    };
  }
  return {
    tone: "trouble",
    mood: runs === null ? "troubled" : "running",
    word: "Not finished",
    headline: `The upgrade to ${operation.system_tag} did not succeed`,
    sentence: runs === null ? "What happened, and every way on, stands below." : `Your EMS was not touched: it runs ${runs} as before.`,
    wentBack: false,
  };
}

/** The known-good build, when what runs is that build by its digest. Anything less is not said. */
function knownGoodThatRuns({ known_good: good, deployment }: Seen): string | null {
  const running = deployment.services.filter((service) => service.state === "running" && service.digest != null);
  return good?.ems_digest && running.some((service) => service.digest === good.ems_digest) ? good.system_tag : null;
}

/** Whether the EMS was being replaced already when it failed. */
function isTouched(stage: SystemAlignmentState): boolean {
  switch (stage) {
    case "ems_operation_running":
    case "healthcheck_pending":
      return true;
    case "admin_update_pending":
    case "admin_reconnect_pending":
    case "admin_aligned":
    case "resources_verified":
    case "ems_operation_pending":
    case "failed_recoverable":
    case "completed":
    case "cancelled":
      return false;
    default:
      return never(stage);
  }
}
