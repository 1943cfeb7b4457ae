/** What a failed upgrade has come to, claiming no more than the server does. */

import type { Mood } from "../parts/HousePicture";
import type { Tone } from "../parts/Note";
import type { ConsoleModel, Transition, TransitionFacts } from "../server/shapes";

export interface Outcome {
  tone: Tone;
  mood: Mood;
  word: string;
  headline: string;
  sentence: string;
}

export function outcomeOf(operation: Transition & TransitionFacts, now: Pick<ConsoleModel, "known_good" | "deployment">): Outcome {
  const runs = now.known_good?.system_tag ?? null;
  if (wentBack(operation) && runs !== null) {
    return {
      tone: "attention",
      mood: "running",
      word: "Gone back",
      headline: `Your EMS runs ${runs} again`,
      sentence: `${operation.system_tag} was started and is not healthy. The build that worked before was brought back.`,
    };
  }
  return {
    tone: "trouble",
    mood: "troubled",
    word: "Not finished",
    headline: `The upgrade to ${operation.system_tag} did not succeed`,
    sentence: "Nothing is lost. What happened, and every way on, stands below.",
  };
}

/** Only the server knows which build runs: it says so, or it is not said. */
function wentBack(operation: Transition & TransitionFacts): boolean {
  return operation.went_back === true;
}
