/** An operation that stopped on the way: where, why, and the one click that goes on. */

import type { SystemAlignmentState } from "../generated/machines";
import type { Corner } from "../stores/acts";
import { isBusy } from "../stores/acts";
import { useBuild } from "../stores/builds";
import { model, runningJob, transition, type LiveTransition } from "../stores/console";
import { never, ownTransition } from "../setup/steps";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { NextActions } from "./RefusalNote";

/** What was under way in this stage, or null when it is a resting place of the Setup and nothing is amiss. */
export function interruptedWork(stage: SystemAlignmentState): string | null {
  switch (stage) {
    case "admin_update_pending":
      return "EMS Admin was about to be brought to the chosen build.";
    case "admin_reconnect_pending":
      return "EMS Admin is being replaced by the chosen build.";
    case "admin_aligned":
      return "The files of the chosen build were being brought here.";
    case "ems_operation_running":
      return "The EMS was being started.";
    case "healthcheck_pending":
      return "The EMS was started; whether it is healthy had not been settled.";
    case "failed_recoverable":
      return "The last attempt did not succeed.";
    case "resources_verified":
    case "ems_operation_pending":
    case "completed":
    case "cancelled":
      return null;
    default:
      return never(stage);
  }
}

/** The operation of this Setup when nobody works on it and it does not rest: it waits for the operator to go on. */
export function interruptedOperation(): LiveTransition | null {
  const live = transition.value;
  const own = live && ownTransition(model.value?.setup ?? null, live) ? live : null;
  if (!own || runningJob.value || own.worker_active) return null;
  return own.expired || interruptedWork(own.stage) ? own : null;
}

export function Interrupted({ corner }: { corner: Corner }) {
  const own = interruptedOperation();
  if (!own) return null;
  const work = interruptedWork(own.stage);
  if (own.expired && own.stage !== "ems_operation_running" && own.stage !== "healthcheck_pending" && !isOver(own.stage)) {
    return <Expired own={own} />;
  }
  if (!work) return null;
  return (
    <Note
      tone="attention"
      title={own.stage === "failed_recoverable" ? "This did not work" : "This was interrupted"}
      actions={<NextActions actions={goingOn(own)} corner={corner} first />}
    >
      <p>{work}</p>
      {own.stage === "failed_recoverable" && own.error_message && <p>{own.error_message}</p>}
      <p class="hint">Everything that was finished before is kept.</p>
    </Note>
  );
}

function isOver(stage: SystemAlignmentState): boolean {
  return stage === "completed" || stage === "cancelled";
}

/** Going on, without what the page offers elsewhere. */
function goingOn(own: LiveTransition) {
  return (own.next_actions ?? []).filter((action) => action.path !== "/api/setup/abandon");
}

function Expired({ own }: { own: LiveTransition }) {
  return (
    <Note
      tone="attention"
      title="This operation has expired"
      actions={
        <Button kind="primary" busy={isBusy("use-build")} onClick={() => void useBuild(own.system_tag)}>
          Go on
        </Button>
      }
    >
      <p>It was begun too long ago to be carried on as it is. Going on begins it anew for the same build; nothing you typed is lost.</p>
    </Note>
  );
}
