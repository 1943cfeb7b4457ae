/** What the console does when an operator takes a next action that the server offers. */

import type { NextAction } from "../server/shapes";
import { verify, chosenTag } from "../stores/builds";
import { refresh, transition } from "../stores/console";
import { continueOperation } from "../stores/deployment";
import { reviewAgain } from "../stores/preview";
import { openSetup, openStep } from "../stores/workflow";
import type { Corner } from "../stores/acts";
import { restartAsked } from "./RestartSetup";
import { go } from "../tab/route";
import type { Step } from "../setup/steps";

/** The function for the button, or null when this console has no way to do it: then its label is shown as a sentence. */
export function wayOf(action: NextAction, corner: Corner): (() => void) | null {
  if (action.method === "GET") return () => void refresh();
  if (action.method !== "POST") return null;
  const step = STEP_OF_PATH[action.path];
  if (step) return () => (go("setup"), openStep(step));
  return actOf(action.path, corner);
}

/** These need what stands on their step, so the step is opened and the operator presses the button there. */
const STEP_OF_PATH: Readonly<Record<string, Step>> = {
  "/api/setup/releases/prepare": "release",
  "/api/setup/automated/releases/prepare": "release",
  "/api/setup/system-build/confirm": "release",
  "/api/setup/system-build/update-admin": "release",
  "/api/setup/system-build/supersede": "release",
  "/api/setup/config/write": "config",
  "/api/setup/config/apply": "config",
  "/api/setup/deployment/prepare": "prepare",
  "/api/setup/deployment/start": "start",
};

function actOf(path: string, corner: Corner): (() => void) | null {
  switch (path) {
    case "/api/admin/start-path":
      return () => void openSetup(corner);
    case "/api/setup/abandon":
      return () => (restartAsked.value = true);
    case "/api/setup/config-preview":
      return () => (go("setup"), openStep("config"), reviewAgain());
    case "/api/admin/system-alignment/validate":
      return () => void (chosenTag.value && verify(chosenTag.value));
    case "/api/admin/system-alignment/resume":
    case "/api/admin/system-alignment/verify-resources": {
      const operation = transition.value?.operation_id;
      return operation ? () => void continueOperation(corner, path, operation) : null;
    }
    default:
      return null;
  }
}
