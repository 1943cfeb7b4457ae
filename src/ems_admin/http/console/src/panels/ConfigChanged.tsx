/** What was reviewed is not what is on disk any more: both are shown, and nothing that was entered is lost. */

import type { StaleRefusal, ThreeWayField } from "../server/config_shapes";
import { choosePlans, plans } from "../stores/draft";
import { configChanged, discardDraft, reviewAgain } from "../stores/preview";
import { conflict, openStep } from "../stores/workflow";
import { canTakeLive } from "../setup/take_live";
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
      <FieldByField refusal={refusal} onReview={review} />
    </>
  );
}

const FROM_THE_BUILD = "A setup takes this from its build. Change it in Maintenance afterwards.";

/** Only what the cards of this browser can hold is taken back into them. */
function FieldByField({ refusal, onReview }: { refusal: StaleRefusal; onReview: () => void }) {
  const ways = refusal.three_ways;
  if (!ways || ways.fields.length === 0 || plans.value.cards.length === 0) return null;
  const barred = (field: ThreeWayField) => (canTakeLive(plans.value, field) ? null : FROM_THE_BUILD);
  return <ThreeWayPanel ways={ways} barred={barred} onDecide={(choices) => (choosePlans(ways.fields, choices), onReview())} />;
}
