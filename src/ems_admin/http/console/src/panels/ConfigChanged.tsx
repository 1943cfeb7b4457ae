/** What was reviewed is not what is on disk any more. */

import { configChanged, discardDraft, reviewAgain } from "../stores/preview";
import { conflict, openStep } from "../stores/workflow";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { endAsked } from "./EndSetup";

export function ConfigChanged() {
  const refusal = configChanged.value;
  // In an older tab there is nothing left to review.
  if (!refusal || conflict.value) return null;
  const review = () => {
    openStep("config");
    reviewAgain();
  };
  return (
    <Note
      tone="attention"
      title="The configuration has changed"
      urgent
      actions={
        <>
          <Button kind="primary" onClick={review}>
            Review again
          </Button>
          <Button onClick={() => (discardDraft(), openStep("devices"))}>Discard local draft</Button>
          <Button onClick={() => (endAsked.value = "discard")}>Discard setup</Button>
        </>
      }
    >
      <p>{refusal.message}</p>
      <p>Reviewing again keeps everything you entered and shows the difference to what is there now. Discarding the draft removes only what was typed in this browser.</p>
    </Note>
  );
}
