/** An operation that stopped on the way: where, why, and the one click that goes on. */

import type { SystemAlignmentState } from "../generated/machines";
import type { Corner } from "../stores/acts";
import { isBusy } from "../stores/acts";
import { beginAnew } from "../stores/builds";
import { model, runningJob, transition, type LiveTransition } from "../stores/console";
import { checkedWords } from "../operation/replacing";
import { waysOut } from "../operation/ways_out";
import { never, ownTransition } from "../setup/steps";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { endAsked } from "./EndSetup";
import { NextActions } from "./RefusalNote";
import { WhatHappened } from "./WhatHappened";

/** What was under way in this stage, or null when it is a resting place of the Setup and nothing is amiss. */
export function interruptedWork(stage: SystemAlignmentState): string | null {
  switch (stage) {
    case "admin_update_pending":
      return "EMS Admin was about to be brought to the chosen build.";
    case "admin_reconnect_pending":
      return "The EMS Admin of the chosen build has taken over. It proves that it is the right one, then the work goes on.";
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
  return own.expiry === "expired" || interruptedWork(own.stage) ? own : null;
}

export function Interrupted({ corner }: { corner: Corner }) {
  const own = interruptedOperation();
  if (!own) return null;
  const work = interruptedWork(own.stage);
  if (own.expiry === "expired" && own.stage !== "ems_operation_running" && own.stage !== "healthcheck_pending" && !isOver(own.stage)) {
    return <Expired own={own} />;
  }
  if (!work) return null;
  return (
    <Note
      tone="attention"
      title={titleOf(own.stage)}
      actions={
        <>
          <NextActions actions={waysOut("guided_setup", own).forward} corner={corner} first />
          <DiscardSetup own={own} />
        </>
      }
    >
      <p>{work}</p>
      {own.stage === "failed_recoverable" && <WhatHappened operation={own} />}
      {own.stage === "admin_reconnect_pending" && own.replacement?.verified_at && (
        <p class="hint">Seen to be well at {checkedWords(own.replacement.verified_at)}.</p>
      )}
      <p class="hint">Everything that was finished before is kept.</p>
    </Note>
  );
}

function titleOf(stage: SystemAlignmentState): string {
  if (stage === "failed_recoverable") return "This did not work";
  return stage === "admin_reconnect_pending" ? "EMS Admin has been updated" : "This was interrupted";
}

function isOver(stage: SystemAlignmentState): boolean {
  return stage === "completed" || stage === "cancelled";
}

function DiscardSetup({ own }: { own: LiveTransition }) {
  if (!waysOut("guided_setup", own).discardSetup) return null;
  return <Button onClick={() => (endAsked.value = "discard")}>Discard setup</Button>;
}

function Expired({ own }: { own: LiveTransition }) {
  const busy = isBusy("use-build") || isBusy("update-admin") || isBusy(`verify-${own.system_tag}`);
  return (
    <Note
      tone="attention"
      title="This operation has expired"
      actions={
        <>
          <Button kind="primary" busy={busy} onClick={() => void beginAnew(own.system_tag)}>
            Go on
          </Button>
          <DiscardSetup own={own} />
        </>
      }
    >
      <p>It was begun too long ago to be carried on as it is. Going on begins it anew for the same build; nothing you typed is lost.</p>
    </Note>
  );
}
