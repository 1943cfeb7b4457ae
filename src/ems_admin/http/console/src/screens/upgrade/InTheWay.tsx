/** Something else has the console: what it is, and how it is finished or ended first. */

import type { SetupWorkflow } from "../../server/shapes";
import { RefusalNote } from "../../panels/RefusalNote";
import { UnfinishedCleanup } from "../../panels/UnfinishedCleanup";
import { Button } from "../../parts/Button";
import { Note } from "../../parts/Note";
import { isBusy } from "../../stores/acts";
import type { Looked } from "../../stores/console";
import { askSwitch } from "../../stores/switching";
import { openSetup } from "../../stores/workflow";
import { go } from "../../tab/route";
import { ownerSentence } from "../owner";

export function SetupFirst() {
  return (
    <>
      <Note
        tone="attention"
        title="A setup is not finished"
        actions={
          <>
            <Button kind="primary" busy={isBusy("switch-guided_upgrade")} onClick={() => void askSwitch("upgrade", "guided_upgrade")}>
              End it and upgrade
            </Button>
            <Button busy={isBusy("start-path")} onClick={() => void openSetup("upgrade")}>
              Continue guided setup
            </Button>
          </>
        }
      >
        <p>It has the console to itself. Finish it, or end it: what would be ended and what stays is shown before anything is done.</p>
      </Note>
      <RefusalNote corner="upgrade" />
    </>
  );
}

export function CleanupFirst({ setup }: { setup: SetupWorkflow | null }) {
  return (
    <>
      {setup && <UnfinishedCleanup workflow={setup} />}
      <RefusalNote corner="setup" />
    </>
  );
}

export function Undecided({ now }: { now: Looked }) {
  return (
    <Note tone="attention" title="Something waits for your decision" actions={<Button onClick={() => go("recovery")}>See what is unfinished</Button>}>
      <p>{ownerSentence(now.lifecycle.state, now.lifecycle.owner)}</p>
    </Note>
  );
}
