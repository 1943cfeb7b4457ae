/** An EMS is already there: going through Guided Setup is possible, but only knowingly. */

import { dismissRefusal, isBusy, refusals, type Corner } from "../stores/acts";
import { openSetup } from "../stores/workflow";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";

export const EXISTING_INSTALL: ReadonlySet<string> = new Set(["existing_install_conflict"]);

export function ExistingInstall({ corner }: { corner: Corner }) {
  const refusal = refusals.value[corner];
  if (!refusal || !EXISTING_INSTALL.has(refusal.error)) return null;
  const close = () => dismissRefusal(corner);
  return (
    <Dialog
      title="There is already an EMS here"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Leave it as it is</Button>
          <Button kind="primary" busy={isBusy("start-path")} onClick={() => void openSetup(corner, true)}>
            Set up anyway
          </Button>
        </>
      }
    >
      <p>{refusal.message}</p>
      <p>Guided Setup changes nothing until you prepare and start the new configuration. You will see every change before that.</p>
    </Dialog>
  );
}
