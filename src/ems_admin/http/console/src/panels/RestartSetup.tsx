/** "Restart setup": asked first, and nothing here is cleared before the server has said yes. */

import { signal } from "@preact/signals";
import { isBusy } from "../stores/acts";
import { restart } from "../stores/workflow";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";

export const restartAsked = signal(false);

export function RestartSetup() {
  if (!restartAsked.value) return null;
  const close = () => (restartAsked.value = false);
  return (
    <Dialog
      title="Restart setup?"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Keep going</Button>
          <Button kind="danger" busy={isBusy("abandon")} onClick={() => void restart().finally(close)}>
            Restart setup
          </Button>
        </>
      }
    >
      <p>Guided Setup goes back to its first step. This ends:</p>
      <ul class="bullets">
        <li>the devices and options entered here</li>
        <li>the configuration file and the plan that this setup has made</li>
      </ul>
      <p>Your running EMS, its live configuration, its data and your backups stay exactly as they are.</p>
    </Dialog>
  );
}
