/** Every configuration that was once live, and one click that prepares the way back to it. */

import { useEffect, useState } from "preact/hooks";
import type { KeptRevision, WritePath } from "../../server/config_shapes";
import { RefusalNote } from "../../panels/RefusalNote";
import { isBusy } from "../../stores/acts";
import { edited, live } from "../../stores/editor";
import { closeRevision, opened, openRevision, prepareReturn, readHistory, revisions } from "../../stores/history";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { DiffView } from "../../parts/DiffView";
import { Pill } from "../../parts/Note";
import { clockTime } from "../../parts/time";
import { Waiting } from "../../parts/Waiting";
import { openView } from "./views";

export function ConfigHistory() {
  useEffect(() => {
    void readHistory();
    return closeRevision;
  }, [live.value?.revision]);
  const kept = revisions.value;
  return (
    <section class="stack-wide" aria-labelledby="config-history">
      <h3 id="config-history">History</h3>
      <RefusalNote corner="history" />
      {kept === null && <Waiting what="the history" />}
      {kept?.length === 0 && (
        <div class="empty">
          <h3>Nothing yet</h3>
          <p class="soft">From the first change on, every configuration is kept here.</p>
        </div>
      )}
      {kept && kept.length > 0 && (
        <ol class="history">
          {kept.map((revision) => (
            <Kept key={`${revision.revision}${revision.at}`} kept={revision} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** Who wrote it, in the words of this console. */
const WRITERS: Record<WritePath, string> = {
  W1: "Applied in guided setup",
  W3: "Put in place by guided setup",
  W4: "Saved in maintenance",
  W5: "MQTT brokers moved",
  W6: "Migrated by an upgrade",
  W7: "Restored from a backup",
  W8: "Taken over from the old place",
};

function writerWords(path: WritePath | null): string {
  return path === null ? "As it was found here" : WRITERS[path];
}

function Kept({ kept }: { kept: KeptRevision }) {
  const isLive = kept.revision === live.value?.revision;
  const open = opened.value?.revision === kept.revision ? opened.value : null;
  const [asked, setAsked] = useState(false);
  const goBack = () => void prepareReturn(kept.revision).then((done) => (setAsked(false), done && openView("review")));
  return (
    <li class={isLive ? "kept kept-live" : "kept"}>
      <div class="kept-head">
        <div class="kept-words">
          <h4>{clockTime(kept.at)}</h4>
          <p class="soft">{writerWords(kept.path)}</p>
        </div>
        {isLive && <Pill tone="good">Live now</Pill>}
        <div class="row">
          <Button
            kind="quiet"
            busy={isBusy(`history-${kept.revision}`)}
            label={open ? "Close the difference" : `What changed at ${clockTime(kept.at)}`}
            onClick={() => (open ? closeRevision() : void openRevision(kept.revision))}
          >
            {open ? "Close" : "What changed"}
          </Button>
          {!isLive && (
            <Button
              busy={isBusy("prepare-return")}
              label={`Prepare a return to ${clockTime(kept.at)}`}
              onClick={() => (edited.value ? setAsked(true) : goBack())}
            >
              Prepare a return
            </Button>
          )}
        </div>
      </div>
      {open && <DiffView diff={open.diff} />}
      {asked && (
        <Dialog
          title="Let go of your changes?"
          onClose={() => setAsked(false)}
          actions={
            <>
              <Button onClick={() => setAsked(false)}>Keep my changes</Button>
              <Button kind="danger" onClick={goBack}>
                Prepare the return
              </Button>
            </>
          }
        >
          <p>You have changes that are not saved. The earlier configuration would take their place in the editor.</p>
        </Dialog>
      )}
    </li>
  );
}
