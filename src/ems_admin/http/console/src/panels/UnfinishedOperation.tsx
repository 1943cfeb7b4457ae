/** An operation that is not finished: how far it is, and exactly the ways that its owner may go. */

import { useState } from "preact/hooks";
import type { ConsoleOwner } from "../generated/machines";
import type { NextAction } from "../server/shapes";
import { dismissRefusal, isBusy, type Corner } from "../stores/acts";
import { model, transition, type LiveTransition } from "../stores/console";
import { cancelOperation, returnToRunningBuild } from "../stores/operation";
import { openSetup } from "../stores/workflow";
import { isBeingReplaced } from "../operation/replacing";
import { waysOut } from "../operation/ways_out";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { EndsAndKeeps } from "../parts/EndsAndKeeps";
import { Fact } from "../parts/Fact";
import { Note } from "../parts/Note";
import { clockTime } from "../parts/time";
import { endAsked } from "./EndSetup";
import { interruptedWork } from "./Interrupted";
import { NextActions, RefusalNote } from "./RefusalNote";
import { WhatHappened } from "./WhatHappened";

const TITLES: Record<ConsoleOwner, string> = {
  guided_setup: "A setup is not finished",
  guided_upgrade: "An upgrade is not finished",
  align_existing_install: "EMS Admin is being brought to the EMS that runs",
  unknown: "An operation of an unknown owner",
  conflict: "An operation beside an unfinished setup",
  none: "An operation is not finished",
};

/** The operation that is under way, or null: then there is no panel. */
export function unfinishedOperation(): LiveTransition | null {
  return model.value?.alignment.active ? transition.value : null;
}

export function UnfinishedOperation({ corner }: { corner: Corner }) {
  const operation = unfinishedOperation();
  const now = model.value;
  if (!operation || !now) return null;
  const owner = now.lifecycle.owner;
  return (
    <Note tone="attention" title={TITLES[owner]} actions={<Ways owner={owner} operation={operation} corner={corner} />}>
      <p>{workOf(operation)}</p>
      <dl class="facts">
        <Fact name="System Build" value={operation.system_tag} />
        <Fact name="Step" value={operation.stage.replaceAll("_", " ")} />
        {operation.stage !== "failed_recoverable" && <Fact name="Last step taken" value={clockTime(operation.updated_at)} />}
        {operation.stage !== "failed_recoverable" && <Fact name="Operation" value={operation.operation_id} />}
      </dl>
      {operation.stage === "failed_recoverable" && <WhatHappened operation={operation} />}
      <RefusalNote corner={corner} />
    </Note>
  );
}

function workOf(operation: LiveTransition): string {
  if (isBeingReplaced(operation)) return "EMS Admin is being replaced by the one of the build.";
  return interruptedWork(operation.stage) ?? "It rests between two steps and waits for you.";
}

interface WaysProps {
  owner: ConsoleOwner;
  operation: LiveTransition;
  corner: Corner;
  /** Where the way back is the calmer one, it comes first. */
  backFirst?: boolean;
}

/** The buttons of an operation: what takes it on, and what ends it, each asked about first. */
export function Ways({ owner, operation, corner, backFirst = false }: WaysProps) {
  const [asked, setAsked] = useState<"cancel" | "return" | null>(null);
  const ways = waysOut(owner, operation);
  const forward: readonly NextAction[] = operation.worker_active ? [] : ways.forward;
  // A setup that rests or has expired goes on by its own next step, which is taken where it is shown.
  const rests = owner === "guided_setup" && (interruptedWork(operation.stage) === null || operation.expiry === "expired");
  const back = ways.returnToRunning && (
    <Button kind={backFirst ? "primary" : "plain"} onClick={() => setAsked("return")}>
      Return to running build
    </Button>
  );
  return (
    <>
      {backFirst && back}
      {rests ? (
        <Button kind="primary" busy={isBusy("start-path")} onClick={() => void openSetup(corner)}>
          Continue guided setup
        </Button>
      ) : (
        <NextActions actions={forward} corner={corner} first={!backFirst || !back} />
      )}
      {ways.discardSetup && <Button onClick={() => (endAsked.value = "discard")}>Discard setup</Button>}
      {ways.cancel && <Button onClick={() => setAsked("cancel")}>{cancelLabel(owner)}</Button>}
      {!backFirst && back}
      {asked && <Question asked={asked} owner={owner} operation={operation} corner={corner} onClose={() => setAsked(null)} />}
    </>
  );
}

function cancelLabel(owner: ConsoleOwner): string {
  return owner === "guided_upgrade" ? "Cancel upgrade" : "Cancel operation";
}

const KEEPS = ["the EMS that runs, and its build", "its live configuration", "your backups"];

function Question({ asked, owner, operation, corner, onClose }: WaysProps & { asked: "cancel" | "return"; onClose: () => void }) {
  const cancels = asked === "cancel";
  const act = cancels ? cancelOperation : returnToRunningBuild;
  const label = cancels ? cancelLabel(owner) : "Return to running build";
  return (
    <Dialog
      title={`${label}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button
            kind="danger"
            busy={isBusy(cancels ? "cancel-operation" : "return-to-running")}
            onClick={() => (dismissRefusal(corner), void act(corner, operation.operation_id).finally(onClose))}
          >
            {label}
          </Button>
        </>
      }
    >
      {!cancels && <p>EMS Admin goes back to the build of the EMS that runs. It restarts, and this page comes back by itself.</p>}
      <EndsAndKeeps ends={[`the operation for ${operation.system_tag}`]} keeps={KEEPS} />
    </Dialog>
  );
}
