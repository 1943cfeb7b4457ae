/** Somebody else has saved since this edit was begun: both are shown, and nothing of either is lost. */

import type { StaleRefusal } from "../../server/config_shapes";
import { ThreeWayPanel } from "../../panels/ThreeWayPanel";
import { RefusalNote } from "../../panels/RefusalNote";
import { decide, discardEdit, form } from "../../stores/editor";
import { isBusy } from "../../stores/acts";
import { openView } from "./views";

export function StaleEdit({ refusal }: { refusal: StaleRefusal }) {
  return (
    <>
      <ThreeWayPanel
        refusal={refusal}
        sections={form.value?.form.sections ?? []}
        busy={isBusy("config-read")}
        onDecide={(choices) => void decide(choices).then((done) => done && openView("review"))}
        onDiscard={() => void discardEdit().then(() => openView("form"))}
      />
      <RefusalNote corner="editor" />
    </>
  );
}
