/** Switching to something else: what it resets, what it preserves, and a yes to exactly that. */

import type { SwitchAction } from "../generated/machines";
import type { SwitchPreview, SwitchTarget } from "../server/lifecycle_shapes";
import { isBusy } from "../stores/acts";
import { confirmSwitch, leaveSwitch, switching } from "../stores/switching";
import { BLOCKED_BY, scopeWords } from "../operation/words";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { EndsAndKeeps } from "../parts/EndsAndKeeps";
import { Note } from "../parts/Note";
import { go } from "../tab/route";
import { RefusalNote } from "./RefusalNote";

const TITLES: Record<SwitchTarget, string> = {
  guided_setup: "Switch to Guided Setup?",
  guided_upgrade: "Switch to a guided upgrade?",
  none: "End what is in progress?",
};

const ACTS: Record<SwitchAction, { sentence: string; label: string }> = {
  discard_guided_setup: { sentence: "The setup in progress is discarded.", label: "Discard setup and switch" },
  cancel_guided_upgrade: { sentence: "The upgrade in progress is cancelled.", label: "Cancel upgrade and switch" },
  resume_guided_setup: { sentence: "The setup in progress goes on.", label: "Go on with the setup" },
  start_guided_setup: { sentence: "A new setup begins.", label: "Begin setup" },
  none: { sentence: "Nothing has to be ended for this.", label: "Switch" },
};

/** Where nothing comes after it, the end is not called a switch. */
const ENDINGS: Partial<Record<SwitchAction, string>> = {
  discard_guided_setup: "Discard setup",
  cancel_guided_upgrade: "Cancel upgrade",
};

export function SwitchDialog() {
  const now = switching.value;
  if (!now) return null;
  const { preview, changed } = now;
  return (
    <Dialog title={TITLES[preview.target]} onClose={leaveSwitch} actions={<Answers preview={preview} />}>
      {changed && (
        <Note tone="attention" title="Something has changed meanwhile" urgent>
          <p>Nothing was done. This is how it stands now; please look again.</p>
        </Note>
      )}
      {preview.blocked ? (
        <Blocked preview={preview} />
      ) : (
        <>
          <p>{ACTS[preview.action].sentence}</p>
          <EndsAndKeeps ends={preview.will_reset.map(scopeWords)} keeps={preview.will_preserve.map(scopeWords)} />
        </>
      )}
      <RefusalNote corner="switch" />
    </Dialog>
  );
}

function Blocked({ preview }: { preview: SwitchPreview }) {
  const blocked = preview.blocking_reason ? BLOCKED_BY[preview.blocking_reason] : null;
  return (
    <Note tone="attention" title="This is not possible now">
      <p>{blocked?.sentence ?? "Something stands against it."}</p>
      {blocked?.next === "wait" && <p>Nothing needs to be done for that: close this, and ask again when it has ended.</p>}
    </Note>
  );
}

function Answers({ preview }: { preview: SwitchPreview }) {
  if (!preview.blocked) {
    const label = preview.target === "none" ? (ENDINGS[preview.action] ?? "Done") : ACTS[preview.action].label;
    return (
      <>
        <Button onClick={leaveSwitch}>Leave it as it is</Button>
        <Button kind={preview.will_reset.length > 0 ? "danger" : "primary"} busy={isBusy("switch")} onClick={() => void confirmSwitch()}>
          {label}
        </Button>
      </>
    );
  }
  const recovers = preview.blocking_reason !== null && BLOCKED_BY[preview.blocking_reason]?.next === "recovery";
  return (
    <>
      <Button onClick={leaveSwitch}>Close</Button>
      {recovers && (
        <Button kind="primary" onClick={() => (leaveSwitch(), go("recovery"))}>
          See what recovery can do
        </Button>
      )}
    </>
  );
}
