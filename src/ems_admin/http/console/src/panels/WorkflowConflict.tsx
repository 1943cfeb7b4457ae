/** This tab is behind: another one has begun or ended the Setup since. */

import { conflict, discardLocalDraft, openCurrentSetup, relation } from "../stores/workflow";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";

export function WorkflowConflict() {
  const refusal = conflict.value;
  if (!refusal) return null;
  const another = relation.value === "replaced" || relation.value === "same";
  return (
    <Note
      tone="attention"
      title="This page belongs to an earlier setup"
      urgent
      actions={
        <>
          <Button kind="primary" onClick={() => void openCurrentSetup()}>
            Open current setup
          </Button>
          <Button onClick={() => void discardLocalDraft()}>Discard local draft</Button>
        </>
      }
    >
      <p>{refusal.message}</p>
      <p>
        Nothing was changed. Opening the current setup keeps what you typed here; discarding removes only the draft in this browser
        {another ? ", never the newer setup." : "."}
      </p>
    </Note>
  );
}
