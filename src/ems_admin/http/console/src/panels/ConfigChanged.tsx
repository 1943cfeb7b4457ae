/** What was reviewed is not what is on disk any more: both are shown, and nothing that was entered is lost. */

import type { StaleRefusal } from "../server/config_shapes";
import { isBusy } from "../stores/acts";
import { plans } from "../stores/draft";
import { configChanged, discardDraft, reviewAgain } from "../stores/preview";
import { mergeDraft } from "../stores/merging";
import { conflict, openStep } from "../stores/workflow";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { endAsked } from "./EndSetup";
import { ThreeWayPanel } from "./ThreeWayPanel";

export function ConfigChanged() {
  const refusal = configChanged.value;
  // In an older tab there is nothing left to review.
  if (!refusal || conflict.value) return null;
  const review = () => {
    openStep("config");
    reviewAgain();
  };
  return (
    <>
      <Note
        tone="attention"
        title="The configuration has changed"
        urgent
        actions={
          <>
            <Button kind={refusal.three_ways ? "plain" : "primary"} onClick={review}>
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
      <FieldByField refusal={refusal} onReview={review} />
    </>
  );
}

/** With the cards in this browser, what is live can be taken into them field by field. */
function FieldByField({ refusal, onReview }: { refusal: StaleRefusal; onReview: () => void }) {
  const ways = refusal.three_ways;
  if (!ways || ways.fields.length === 0 || plans.value.cards.length === 0) return null;
  return (
    <ThreeWayPanel
      key={refusal.revision}
      ways={ways}
      reviewed={refusal.baseline_revision ?? null}
      busy={isBusy("config-merge")}
      onDecide={(choices) => void mergeDraft(refusal, choices).then((done) => done && onReview())}
    />
  );
}
