/** The edit against what is live: what would be written, and the button that writes it. */

import { useState } from "preact/hooks";
import type { Finding } from "../../server/config_shapes";
import { placeWords } from "../../editor/form";
import { isBusy } from "../../stores/acts";
import { draft, form, revised, save, textFault } from "../../stores/editor";
import { Button } from "../../parts/Button";
import { DiffView } from "../../parts/DiffView";
import { Switch } from "../../parts/Field";
import { Note } from "../../parts/Note";
import { staysHere } from "../../tab/route";
import { openView } from "./views";

export function ConfigReview() {
  const [backup, setBackup] = useState(true);
  const seen = revised.value;
  if (!draft.value) return <NothingToReview />;
  if (!seen) {
    return (
      <p role="status" class="soft">
        <span class="spinner" aria-hidden="true" /> Working out the difference …
      </p>
    );
  }
  const ready = seen.validation.ready && textFault.value === null;
  return (
    <section class="stack-wide" aria-labelledby="config-review">
      <h3 id="config-review">Look at what would change</h3>
      {!ready && <Mistakes findings={seen.validation.errors} />}
      <DiffView diff={seen.diff} />
      <div class="card card-flat">
        <Switch label="Make a backup first" hint="A copy of the configuration as it is now. It takes a moment." on={backup} onChange={setBackup} />
      </div>
      <footer class="step-foot">
        <Button kind="primary" busy={isBusy("config-save")} disabled={!ready || !seen.changed} onClick={() => void saveAndGoOn(backup)}>
          Save
        </Button>
        <Button onClick={() => openView("form")}>Go on editing</Button>
      </footer>
    </section>
  );
}

async function saveAndGoOn(backup: boolean): Promise<void> {
  const stillHere = staysHere();
  if ((await save(backup)) && stillHere()) openView("form");
}

function NothingToReview() {
  return (
    <div class="empty">
      <h3>Nothing to review</h3>
      <p class="soft">What stands in the form is what is live.</p>
      <Button onClick={() => openView("form")}>Back to the form</Button>
    </div>
  );
}

/** Everything that stands against the edit, each with its place in the words of the form. */
export function Mistakes({ findings }: { findings: readonly Finding[] }) {
  const sections = form.value?.form ?? [];
  return (
    <Note
      tone="trouble"
      title={findings.length === 1 ? "One thing is not right yet" : `${findings.length} things are not right yet`}
      actions={<Button onClick={() => openView("form")}>Mend it in the form</Button>}
    >
      <ul class="bullets">
        {findings.map((finding) => (
          <li key={`${finding.code}${finding.pointer}`}>
            {finding.pointer && <strong>{placeWords(sections, finding.pointer, draft.value ?? undefined)}: </strong>}
            {finding.message}
          </li>
        ))}
      </ul>
    </Note>
  );
}
