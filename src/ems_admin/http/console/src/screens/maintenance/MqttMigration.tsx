/** Moving MQTT brokers out of single devices: what would change, reviewed before it is done. */

import { useEffect, useState } from "preact/hooks";
import type { MigrationReview } from "../../server/config_shapes";
import { placeWords } from "../../editor/form";
import { RefusalNote } from "../../panels/RefusalNote";
import { isBusy } from "../../stores/acts";
import { edited, form, live } from "../../stores/editor";
import { migrate, migrated, readMigration, review, reviewChanged } from "../../stores/migration";
import { Button } from "../../parts/Button";
import { DiffView } from "../../parts/DiffView";
import { Switch } from "../../parts/Field";
import { Note } from "../../parts/Note";
import { Waiting } from "../../parts/Waiting";
import { useRead } from "../useRead";
import { Mistakes } from "./ConfigReview";
import { openView } from "./views";

export function MqttMigration() {
  useRead(readMigration, true);
  useEffect(() => () => (migrated.value = false), []);
  const seen = review.value;
  return (
    <section class="stack-wide" aria-labelledby="mqtt-migration">
      <h3 id="mqtt-migration">One place for MQTT brokers</h3>
      <RefusalNote corner="migration" />
      {reviewChanged.value && (
        <Note tone="attention" title="The configuration has changed meanwhile" urgent>
          <p>Nothing was moved. What stands below is new; look at it once more.</p>
        </Note>
      )}
      {!seen && <Waiting what="what would move" />}
      {seen && !seen.needed && <Nothing />}
      {seen?.needed && <Review seen={seen} />}
    </section>
  );
}

function moveWords({ broker_ref: broker, new_broker: fresh, password_moved: secret }: MigrationReview["changes"][number]): string {
  const where = fresh ? `becomes the broker “${broker}”` : `goes to the broker “${broker}”`;
  return secret ? `${where}, its password to the stored ones` : where;
}

function Nothing() {
  return (
    <Note tone="good" title={migrated.value ? "The brokers have moved" : "Nothing has to move"} actions={<Button onClick={() => openView("form")}>Back to the form</Button>}>
      <p>Every broker is in its one place, and its password with the stored ones.</p>
    </Note>
  );
}

function Review({ seen }: { seen: MigrationReview }) {
  const [backup, setBackup] = useState(true);
  const sections = form.value?.form ?? [];
  return (
    <>
      <p class="soft">Devices keep their topics. Only where their broker is written changes, and passwords go to the store of secrets.</p>
      {!seen.validation.ready && <Mistakes findings={seen.validation.errors} />}
      <section class="card card-flat" aria-labelledby="what-moves">
        <h4 id="what-moves">What moves</h4>
        <ul class="facts">
          {seen.changes.map((change) => (
            <li key={change.pointer}>
              <span>{placeWords(sections, change.pointer, live.value?.config ?? undefined)}</span>
              <span>{moveWords(change)}</span>
            </li>
          ))}
        </ul>
      </section>
      {seen.diff && <DiffView diff={seen.diff} />}
      <div class="card card-flat">
        <Switch label="Make a backup first" on={backup} onChange={setBackup} />
      </div>
      <footer class="step-foot">
        <Button
          kind="primary"
          busy={isBusy("migrate")}
          disabled={!seen.validation.ready}
          reason={edited.value ? "Save or discard your changes first." : null}
          onClick={() => void migrate(backup)}
        >
          Move the brokers
        </Button>
        <Button onClick={() => openView("form")}>Not now</Button>
      </footer>
    </>
  );
}
