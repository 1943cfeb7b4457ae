/** Somebody else has saved since this edit was begun: both are shown, and nothing of either is lost. */

import type { StaleRefusal } from "../../server/config_shapes";
import { ThreeWayPanel } from "../../panels/ThreeWayPanel";
import { isBusy } from "../../stores/acts";
import { decide, discardEdit, form } from "../../stores/editor";
import { Button } from "../../parts/Button";
import { DiffView } from "../../parts/DiffView";
import { Note } from "../../parts/Note";
import { staysHere } from "../../tab/route";
import { openView } from "./views";

export function StaleEdit({ refusal }: { refusal: StaleRefusal }) {
  const stillHere = staysHere();
  const ways = refusal.three_ways ?? { fields: [], conflicts: [] };
  return (
    <>
      <Note tone="attention" title="The configuration has changed" urgent>
        <p>{refusal.message}</p>
        <p>Nothing was written, and nothing you typed is lost. Decide what stays; you see the result before it is saved.</p>
      </Note>
      {ways.fields.length === 0 && refusal.diff && <DiffView diff={refusal.diff} />}
      <ThreeWayPanel
        key={refusal.revision}
        ways={ways}
        reviewed={refusal.baseline_revision ?? null}
        sections={form.value?.form ?? []}
        busy={isBusy("config-merge")}
        onDecide={(choices) => void decide(choices).then((done) => done && stillHere() && openView("review"))}
      >
        <Button onClick={() => void discardEdit().then(() => stillHere() && openView("form"))}>Discard my changes</Button>
      </ThreeWayPanel>
    </>
  );
}
