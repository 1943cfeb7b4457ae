/** Every configuration that was once live, and one click that prepares the way back to it. */

import { useEffect, useState } from "preact/hooks";
import type { History, KeptRevision, WritePath } from "../../server/config_shapes";
import { RefusalNote } from "../../panels/RefusalNote";
import { isBusy } from "../../stores/acts";
import { edited, live } from "../../stores/editor";
import { closeRevision, history, opened, openRevision, prepareReturn, readHistory } from "../../stores/history";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { DiffView } from "../../parts/DiffView";
import { Note, Pill } from "../../parts/Note";
import { clockTime } from "../../parts/time";
import { Waiting } from "../../parts/Waiting";
import { staysHere } from "../../tab/route";
import { useRead } from "../useRead";
import { openView } from "./views";

export function ConfigHistory() {
  useRead(readHistory, true, live.value?.revision);
  useEffect(() => closeRevision, []);
  const seen = history.value;
  const kept = seen?.revisions ?? null;
  return (
    <section class="stack-wide" aria-labelledby="config-history">
      <h3 id="config-history">History</h3>
      <RefusalNote corner="history" />
      {kept === null && <Waiting what="the history" />}
      {seen && kept && kept.length > 0 && !newestOf(seen) && (
        <Note tone="plain" title="What is live now was written by other hands">
          <p>It is kept here as soon as the next change is saved.</p>
        </Note>
      )}
      {seen && seen.damaged.length > 0 && (
        <Note tone="attention" title="Part of the history cannot be read">
          <p>{seen.damaged.length === 1 ? "One entry is" : `${seen.damaged.length} entries are`} damaged, and is not passed on as good.</p>
        </Note>
      )}
      {kept?.length === 0 && (
        <div class="empty">
          <h3>Nothing yet</h3>
          <p class="soft">From the first change on, every configuration is kept here.</p>
        </div>
      )}
      {kept && kept.length > 0 && (
        <ol class="history">
          {kept.map((revision) => (
            <Kept key={revision.sequence} kept={revision} isLive={revision === newestOf(seen)} />
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

/** The line that brought the config that is live; none where other hands have changed it since. */
function newestOf(seen: History | null): KeptRevision | undefined {
  return seen?.revisions.find((line) => line.revision === seen.live_revision);
}

function Kept({ kept, isLive }: { kept: KeptRevision; isLive: boolean }) {
  const open = opened.value?.sequence === kept.sequence ? opened.value : null;
  const [asked, setAsked] = useState(false);
  const stillHere = staysHere();
  const goBack = () => void prepareReturn(kept.revision).then((done) => (setAsked(false), done && stillHere() && openView("review")));
  return (
    <li class={isLive ? "kept kept-live" : "kept"}>
      <div class="kept-head">
        <div class="kept-words">
          <h4>{clockTime(kept.kept_at)}</h4>
          <p class="soft">{writerWords(kept.path)}</p>
        </div>
        {isLive && <Pill tone="good">Live now</Pill>}
        <div class="row">
          <Button
            kind="quiet"
            busy={isBusy(`history-${kept.sequence}`)}
            label={open ? "Close the difference" : `What changed at ${clockTime(kept.kept_at)}`}
            onClick={() => (open ? closeRevision() : void openRevision(kept))}
          >
            {open ? "Close" : "What changed"}
          </Button>
          {!isLive && (
            <Button
              busy={isBusy("prepare-return")}
              label={`Prepare a return to ${clockTime(kept.kept_at)}`}
              onClick={() => (edited.value ? setAsked(true) : goBack())}
            >
              Prepare a return
            </Button>
          )}
        </div>
      </div>
      {open && (open.diff ? <DiffView diff={open.diff} /> : <p class="soft">What it replaced is not kept, so nothing can be compared.</p>)}
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
