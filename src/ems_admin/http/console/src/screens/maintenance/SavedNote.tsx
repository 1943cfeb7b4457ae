/** It is saved; and whether the EMS that runs goes by it already. */

import type { RuntimeSync, Saved } from "../../server/config_shapes";
import { saved as savedNow } from "../../stores/editor";
import { Button } from "../../parts/Button";
import { Note } from "../../parts/Note";
import { go } from "../../tab/route";

const GOES_BY_IT: Record<RuntimeSync, string> = {
  synced: "The EMS that runs goes by its switches and limits already; what else has changed it reads when it is restarted.",
  absent: "The EMS goes by it from its next start on.",
  unreadable: "The EMS goes by it from its next start on; its own notes could not be read.",
  failed: "The EMS goes by it from its next start on; it could not be told now.",
};

export function SavedNote({ saved }: { saved: Saved }) {
  return (
    <Note
      tone="good"
      title={saved.changed ? "Saved" : "Nothing had to be saved"}
      urgent
      actions={saved.changed && <Button onClick={() => go("maintenance", "containers")}>Open services</Button>}
      onDismiss={() => (savedNow.value = null)}
    >
      <p>
        {saved.runtime_sync ? GOES_BY_IT[saved.runtime_sync] : "What you entered is what was live already."}
        {saved.backup && " A backup of what was there before is kept."}
      </p>
    </Note>
  );
}
