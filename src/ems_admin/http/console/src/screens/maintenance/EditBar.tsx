/** What the edit has come to so far, and the way to its review. It stays in view while the form is filled in. */

import { changedMeanwhile, discardEdit, findings, revised, textFault } from "../../stores/editor";
import { isBusy } from "../../stores/acts";
import { Button } from "../../parts/Button";
import { openView } from "./views";

export function EditBar() {
  const ready = revised.value !== null && textFault.value === null;
  return (
    <div class="edit-bar" role="region" aria-label="Your changes">
      <p role="status">{words()}</p>
      <div class="row">
        <Button kind="quiet" busy={isBusy("config-read")} onClick={() => void discardEdit()}>
          Discard
        </Button>
        <Button kind="primary" icon="arrow" disabled={!ready} onClick={() => openView("review")}>
          Review
        </Button>
      </div>
    </div>
  );
}

function words(): string {
  if (textFault.value) return textFault.value;
  const seen = revised.value;
  if (!seen) return "Looking at your changes …";
  const wrong = findings.value.length;
  if (wrong > 0) return wrong === 1 ? `Not right yet: ${findings.value[0]?.message}` : `${wrong} things are not right yet.`;
  const count = seen.diff.added.length + seen.diff.removed.length + seen.diff.changed.length;
  const changes = count === 1 ? "1 change" : `${count} changes`;
  return changedMeanwhile.value ? `${changes}. Somebody else has saved meanwhile; you will see both.` : `${changes}, not saved yet.`;
}
