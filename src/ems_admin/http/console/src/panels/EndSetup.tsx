/** Ending a Setup: asked first, and nothing here is cleared before the server has said yes. */

import { signal } from "@preact/signals";
import { isBusy } from "../stores/acts";
import { abandon, conflict, restart } from "../stores/workflow";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { EndsAndKeeps } from "../parts/EndsAndKeeps";
import { go } from "../tab/route";

/** Which of the two ends is asked about. */
export const endAsked = signal<"restart" | "discard" | null>(null);

const WORDS = {
  restart: { title: "Restart setup?", lead: "Guided Setup goes back to its first step.", label: "Restart setup" },
  discard: { title: "Discard this setup?", lead: "Guided Setup ends here. You can begin a new one whenever you like.", label: "Discard setup" },
} as const;

const ENDS = ["the devices and options entered here", "the configuration file and the plan that this setup has made"];
const KEEPS = ["your running EMS, its live configuration and its data", "your backups"];

export function EndSetup() {
  const asked = endAsked.value;
  // An older tab may not end what is no longer its own.
  if (!asked || conflict.value) return null;
  const { title, lead, label } = WORDS[asked];
  const close = () => (endAsked.value = null);
  const end = asked === "restart" ? restart : discard;
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Keep going</Button>
          <Button kind="danger" busy={isBusy("abandon")} onClick={() => void end().finally(close)}>
            {label}
          </Button>
        </>
      }
    >
      <p>{lead}</p>
      <EndsAndKeeps ends={ENDS} keeps={KEEPS} />
    </Dialog>
  );
}

async function discard(): Promise<void> {
  if (await abandon("setup")) go("home");
  else go("setup");
}
