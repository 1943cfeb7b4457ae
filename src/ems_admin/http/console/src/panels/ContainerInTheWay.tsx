/** A container that bears the name of one of ours: what it is, and what becomes of it. The start goes on afterwards. */

import { useState } from "preact/hooks";
import type { ConflictAction, ContainerConflict } from "../server/shapes";
import { isBusy } from "../stores/acts";
import { runningJob } from "../stores/console";
import { resolveContainerConflict } from "../stores/deployment";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { EndsAndKeeps } from "../parts/EndsAndKeeps";
import { Fact } from "../parts/Fact";
import { Note } from "../parts/Note";

interface Way {
  label: string;
  /** What is lost with it. */
  loses: string;
  kind: "primary" | "danger";
}

const WAYS: Record<ConflictAction, Way> = {
  remove_stopped_and_continue: {
    label: "Remove it and start",
    loses: "Removing it ends this container and what was written inside of it. Its image, its volumes and its folders stay.",
    kind: "primary",
  },
  replace_running_and_continue: {
    label: "Stop it, remove it and start",
    loses: "Replacing it stops what it does now, at once, and ends this container. Its image, its volumes and its folders stay.",
    kind: "danger",
  },
};

/** The one that fits what it does: nobody has to stop what has stopped already. */
function fitting(conflict: ContainerConflict): ConflictAction {
  return conflict.safe_fix_available ? "remove_stopped_and_continue" : "replace_running_and_continue";
}

export function ContainerInTheWay({ conflict }: { conflict: ContainerConflict }) {
  const [asked, setAsked] = useState(false);
  const action = fitting(conflict);
  const way = WAYS[action];
  const reason = conflict.actions.find((answer) => answer.action === action)?.reason?.message ?? null;
  const busy = isBusy("container-conflict") || isBusy("start");
  const clear = () => void resolveContainerConflict(conflict.container_name, action);
  const working = runningJob.value ? "Wait until the work below has ended." : null;
  return (
    <Note
      tone="attention"
      title={`A container named ${conflict.container_name} is in the way`}
      actions={
        <Button
          kind={way.kind}
          busy={busy}
          reason={working ?? reason}
          onClick={() => (action === "replace_running_and_continue" ? setAsked(true) : clear())}
        >
          {way.label}
        </Button>
      }
    >
      <p>It was not started by this setup, and the EMS needs its name.</p>
      <dl class="facts">
        <Fact name="It is" value={conflict.status} />
        <Fact name="Made from" value={conflict.image ?? "not known"} />
        <Fact name="To run instead" value={conflict.selected_image ?? "not known"} />
        <Fact name="Container" value={conflict.container_id.slice(0, 12)} />
      </dl>
      <p>{way.loses}</p>
      {asked && <Question conflict={conflict} busy={busy} onYes={clear} onClose={() => setAsked(false)} />}
    </Note>
  );
}

interface QuestionProps {
  conflict: ContainerConflict;
  busy: boolean;
  onYes: () => void;
  onClose: () => void;
}

function Question({ conflict, busy, onYes, onClose }: QuestionProps) {
  const replace = () => {
    onYes();
    onClose();
  };
  return (
    <Dialog
      title={`Stop and replace ${conflict.container_name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Leave it running</Button>
          <Button kind="danger" busy={busy} onClick={replace}>
            Stop and replace
          </Button>
        </>
      }
    >
      <p>It runs right now. Make sure that nothing in your home depends on it.</p>
      <EndsAndKeeps
        ends={["what this container does now", "what was written inside of the container alone"]}
        keeps={["its image, its volumes and its folders", "every other container"]}
      />
    </Dialog>
  );
}
