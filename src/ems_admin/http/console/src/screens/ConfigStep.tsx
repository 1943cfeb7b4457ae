/** Step 3: exactly what would be written, against what is there now. Only the server's preview opens the buttons. */

import { useState } from "preact/hooks";
import type { Preview } from "../server/setup_shapes";
import { isBusy } from "../stores/acts";
import { actionAt, runningJob } from "../stores/console";
import { draft } from "../stores/draft";
import { authority, commit, configChanged, configIsWritten, preview, previewing, requestPreview, reviewAgain } from "../stores/preview";
import { download } from "../stores/download";
import { openStep } from "../stores/workflow";
import { ConfirmOverwrite } from "../panels/ConfirmOverwrite";
import { Button } from "../parts/Button";
import { DiffView } from "../parts/DiffView";
import { Note } from "../parts/Note";
import { StepFrame } from "./StepFrame";
import { useRead } from "./useRead";

const TARGET_EXISTS: ReadonlySet<string> = new Set(["target_exists"]);

export function ConfigStep() {
  const written = configIsWritten.value;
  const planned = draft.value;
  useRead(requestPreview, !written && preview.value === null, planned);
  return (
    <StepFrame
      step="config"
      title="Look at the configuration"
      lead="This is the exact file, compared with the one that is live now. Nothing has been written yet."
      except={TARGET_EXISTS}
      footer={<ConfigFooter written={written} />}
    >
      {written && !preview.value && (
        <Note tone="good" title="Your configuration is written" actions={<Button onClick={reviewAgain}>Review again</Button>}>
          <p>It waits for the next step, which puts it in place. Changed something on the Devices step? Review and write it again.</p>
        </Note>
      )}
      <PreviewView />
    </StepFrame>
  );
}

function PreviewView() {
  const shown = preview.value;
  if (previewing.value && !shown) {
    return (
      <div class="card card-flat" aria-busy="true">
        <p role="status">
          <span class="spinner" aria-hidden="true" /> Working out the configuration …
        </p>
      </div>
    );
  }
  if (!shown) return null;
  return (
    <>
      {!shown.ready && <Mistakes shown={shown} />}
      {shown.diff && <DiffView diff={shown.diff} />}
    </>
  );
}

function Mistakes({ shown }: { shown: Preview }) {
  return (
    <Note
      tone="trouble"
      title={shown.validation.errors.length === 1 ? "One thing is not right yet" : `${shown.validation.errors.length} things are not right yet`}
      actions={<Button onClick={() => openStep("devices")}>Back to devices</Button>}
    >
      <ul class="bullets">
        {shown.validation.errors.map((error) => (
          <li key={`${error.code}${error.pointer}`}>
            {error.message}
            {error.pointer && <code class="hint"> {error.pointer}</code>}
          </li>
        ))}
      </ul>
    </Note>
  );
}

function ConfigFooter({ written }: { written: boolean }) {
  const write = (overwrite: boolean) => void commit("write", overwrite).then((answer) => answer.ok && openStep("prepare"));
  const apply = (overwrite: boolean) => void commit("apply", overwrite).then((answer) => answer.ok && reviewAgain());
  const allowed = authority.value !== null;
  // Which of the two met an existing file, so that "Replace" repeats that one.
  const [asked, setAsked] = useState<"write" | "apply">("write");
  const act = (kind: "write" | "apply", overwrite: boolean) => (setAsked(kind), kind === "write" ? write(overwrite) : apply(overwrite));
  if (written && !preview.value) {
    return (
      <Button kind="primary" icon="arrow" onClick={() => openStep("prepare")}>
        Continue to prepare
      </Button>
    );
  }
  return (
    <>
      <Button kind="primary" busy={isBusy("config-write")} disabled={!allowed} reason={whyOff("write")} onClick={() => act("write", false)}>
        Write configuration
      </Button>
      <Button busy={isBusy("config-apply")} disabled={!allowed} reason={whyOff("apply")} onClick={() => act("apply", false)}>
        Apply to the live config
      </Button>
      <Button kind="quiet" icon="down" busy={isBusy("config-download")} onClick={() => void download()}>
        Download
      </Button>
      <p class="hint step-foot-words">
        <strong>Write</strong> hands the file to the next step, which prepares the EMS with it. <strong>Apply</strong> changes the live
        file at once, without preparing anything.
      </p>
      <ConfirmOverwrite corner="config" codes={TARGET_EXISTS} title="Replace the file that is there?" label="Replace" onConfirm={() => act(asked, true)} />
    </>
  );
}

/** Why the two buttons are off: what the preview says, else the server's own reason. */
function whyOff(kind: "write" | "apply"): string | null {
  if (runningJob.value) return "Wait until the work that is under way has ended.";
  if (configChanged.value) return "Review the changed configuration first.";
  if (preview.value && !preview.value.ready) return "Put right what is listed above first.";
  const action = actionAt(`/api/setup/config/${kind}`);
  // Between the preview and the next look at the console the action still speaks of the time before.
  if (!action || action.enabled || authority.value === null) return null;
  return action.reason?.message ?? null;
}
