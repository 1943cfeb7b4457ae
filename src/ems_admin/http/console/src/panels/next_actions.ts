/** What the console does when an operator takes a next action that the server offers. */

import type { SwitchTarget } from "../server/lifecycle_shapes";
import type { NextAction } from "../server/shapes";
import { verify, chosenTag } from "../stores/builds";
import { retryCleanup } from "../stores/cleanup";
import { model, refresh, transition } from "../stores/console";
import { continueOperation, repairPermissions } from "../stores/deployment";
import { reviewAgain } from "../stores/preview";
import { openSession } from "../stores/session";
import { askSwitch } from "../stores/switching";
import { goOn } from "../stores/upgrade_run";
import { openCurrentSetup, openSetup, openStep } from "../stores/workflow";
import type { Corner } from "../stores/acts";
import { endAsked } from "./EndSetup";
import { isSetups } from "../operation/ways_out";
import { go, type Place } from "../tab/route";
import type { Step } from "../setup/steps";

/** The function for the button, or null when this console has no way to do it: then it is not offered. */
export function wayOf(action: NextAction, corner: Corner): (() => void) | null {
  const step = STEP_OF_PATH[action.path];
  if (step) return () => openStep(step);
  const room = ROOM_OF_PATH[action.path];
  if (room) return () => go("maintenance", ...room);
  return action.method === "GET" ? lookAt(action.path) : actOf(action, corner);
}

/** These need what stands on their step, so the step is opened and the operator presses the button there. */
const STEP_OF_PATH: Readonly<Record<string, Step>> = {
  "/api/setup/releases": "release",
  "/api/setup/releases/prepare": "release",
  "/api/setup/automated/releases/prepare": "release",
  "/api/setup/system-build/confirm": "release",
  "/api/setup/system-build/supersede": "release",
  "/api/setup/system-build/update-admin": "release",
  "/api/setup/config/write": "config",
  "/api/setup/config/apply": "config",
  "/api/setup/deployment/prepare": "prepare",
  "/api/setup/deployment/start": "start",
  "/api/setup/deployment/resolve-container-conflict": "start",
};

/** In Maintenance everything is done in the room where it is shown. */
const ROOM_OF_PATH: Readonly<Record<string, [inside: string, deeper?: string]>> = {
  "/api/admin/maintenance/config": ["config"],
  "/api/admin/maintenance/mqtt/migration-review": ["config", "migration"],
  "/api/admin/maintenance/containers": ["containers"],
  "/api/admin/maintenance/diagnostics/run": ["diagnostics"],
  "/api/admin/maintenance/backups": ["backups"],
  "/api/admin/maintenance/backups/restore/preview": ["backups"],
  "/api/admin/maintenance/upgrade/validate": ["upgrade"],
  "/api/admin/maintenance/upgrade/plan": ["upgrade"],
  "/api/admin/maintenance/upgrade/execute": ["upgrade"],
  "/api/admin/maintenance/admin-update/plan": ["upgrade"],
  "/api/admin/maintenance/admin-update/execute": ["upgrade"],
};

/** Looking is never refused: read everything again, and go where it is shown. */
function lookAt(path: string): () => void {
  const shown = SCREEN_OF_PATH[path];
  return () => {
    if (path === "/api/setup/workflow") void openCurrentSetup();
    else void refresh();
    if (shown) go(shown);
  };
}

const SCREEN_OF_PATH: Readonly<Record<string, Place>> = {
  "/api/admin/journal": "state",
  "/api/admin/workflow-lifecycle": "recovery",
  "/api/admin/install-state": "maintenance",
  "/api/setup/workflow": "setup",
};

/** One route, and the act says where to. */
const SWITCHES: Readonly<Record<string, SwitchTarget>> = {
  switch_to_guided_setup: "guided_setup",
  switch_to_guided_upgrade: "guided_upgrade",
  switch_to_none: "none",
};

function actOf({ action, path }: NextAction, corner: Corner): (() => void) | null {
  switch (path) {
    case "/api/admin/auth/login":
    case "/api/admin/auth/setup":
    case "/api/admin/auth/refresh":
      return () => void openSession();
    case "/api/admin/start-path":
      return () => void openSetup(corner);
    case "/api/setup/abandon":
      return endingOf();
    case "/api/setup/cleanup/disown":
      // Which files, and why, is asked where they are shown.
      return () => go("setup");
    case "/api/setup/deployment/repair-permissions":
      return () => void repairPermissions(corner);
    case "/api/admin/system-alignment/cancel":
    case "/api/admin/system-alignment/return-to-running-build":
    case "/api/admin/workflow-lifecycle/recovery":
    case "/api/admin/workflow-lifecycle/recovery/preview":
      return () => go("recovery");
    case "/api/admin/workflow-lifecycle/switch":
    case "/api/admin/workflow-lifecycle/switch/preview":
      return () => void askSwitch(corner, SWITCHES[action] ?? "guided_setup");
    case "/api/setup/config-preview":
      return () => (openStep("config"), reviewAgain());
    case "/api/admin/system-alignment/validate":
      return () => void (chosenTag.value && verify(chosenTag.value));
    case "/api/admin/system-alignment/resume":
    case "/api/admin/system-alignment/verify-resources": {
      const operation = transition.value;
      if (!operation) return null;
      // A Setup's answer may say that this tab is behind; whatever else goes on is gone along with.
      const goes = isSetups(operation) ? continueOperation : goOn;
      return () => void goes(corner, path, operation.operation_id);
    }
    case "/api/admin/maintenance/upgrade/resume":
    case "/api/admin/maintenance/admin-update/resume": {
      const operation = transition.value?.operation_id;
      return operation ? () => void goOn(corner, path, operation) : null;
    }
    default:
      return null;
  }
}

/** One route ends a Setup and clears up after an ended one; which of the two it is, the workflow says. */
function endingOf(): () => void {
  const setup = model.value?.setup;
  if (setup && setup.status !== "active") return () => void retryCleanup(setup.workflow_id);
  return () => (endAsked.value = "discard");
}
