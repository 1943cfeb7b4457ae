/** What was reviewed is not what is on disk any more. */

import { isBusy } from "../stores/acts";
import { configChanged, reviewAgain } from "../stores/preview";
import { abandon, openStep } from "../stores/workflow";
import { go } from "../tab/route";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";

export function ConfigChanged() {
  const refusal = configChanged.value;
  if (!refusal) return null;
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
          <Button
            busy={isBusy("abandon")}
            onClick={() => void abandon("setup").then((ended) => ended && ((configChanged.value = null), go("home")))}
          >
            Discard setup
          </Button>
        </>
      }
    >
      <p>{refusal.message}</p>
      <p>Reviewing again keeps everything you entered and shows the difference to what is there now.</p>
    </Note>
  );
}
