/** Letting go of what an ended Setup could not clear away: every file stays, and nothing waits for it any more. */

import { useState } from "preact/hooks";
import { isBusy } from "../stores/acts";
import { disownCleanup, LONGEST_REASON } from "../stores/cleanup";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";

export function LeaveFiles({ workflowId, onClose }: { workflowId: string; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const given = reason.trim();
  return (
    <Dialog
      title="Leave the files as they are?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not yet</Button>
          <Button
            kind="danger"
            reason={given ? null : "Say why first."}
            busy={isBusy("disown")}
            onClick={() => void disownCleanup(workflowId, given).finally(onClose)}
          >
            Leave them
          </Button>
        </>
      }
    >
      <p>Not one of these files is touched. The ended setup gives up its claim to them, and a new one may begin.</p>
      <p>Whoever looks after this machine can remove them later by hand.</p>
      <TextField
        label="Reason"
        value={reason}
        onChange={(text) => setReason(text.slice(0, LONGEST_REASON))}
        maxLength={LONGEST_REASON}
        hint={`Noted in the journal. At most ${LONGEST_REASON} characters.`}
      />
    </Dialog>
  );
}
