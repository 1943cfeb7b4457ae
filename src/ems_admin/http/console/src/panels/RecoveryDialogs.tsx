/** The questions before a recovery: one for the safe acts, a reason and two for the release of stale records. */

import { useEffect, useState } from "preact/hooks";
import { isBusy } from "../stores/acts";
import { LONGEST_REASON } from "../stores/cleanup";
import { asked, leaveRecovery, recover, type Asked } from "../stores/recovery";
import { RELEASE_REASONS, SAFE_ACTIONS, scopeWords } from "../operation/words";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Listed } from "../parts/EndsAndKeeps";
import { TextField } from "../parts/Field";
import { Note } from "../parts/Note";
import { RefusalNote } from "./RefusalNote";

export function RecoveryDialogs() {
  const question = asked.value;
  if (!question) return null;
  return question.mode === "safe" ? <SafeQuestion question={question} /> : <ReleaseQuestion question={question} />;
}

function Changed({ question }: { question: Asked }) {
  if (!question.changed) return null;
  return (
    <Note tone="attention" title="Something has changed meanwhile" urgent>
      <p>Nothing was done. This is how it stands now; please look again.</p>
    </Note>
  );
}

function Kept({ question }: { question: Asked }) {
  return <Listed title="This stays exactly as it is" items={question.preview.will_preserve.map(scopeWords)} />;
}

function SafeQuestion({ question }: { question: Asked }) {
  const { actions } = question.preview.safe;
  return (
    <Dialog
      title="Recover safely?"
      onClose={leaveRecovery}
      actions={
        <>
          <Button onClick={leaveRecovery}>Leave it as it is</Button>
          <Button kind="primary" disabled={actions.length === 0} busy={isBusy("recover")} onClick={() => void recover()}>
            Recover
          </Button>
        </>
      }
    >
      <Changed question={question} />
      <Listed title="This is done, in this order" items={actions.map((action) => SAFE_ACTIONS[action] ?? action)} />
      <Kept question={question} />
      <RefusalNote corner="recovery-dialog" />
    </Dialog>
  );
}

function ReleaseQuestion({ question }: { question: Asked }) {
  const [reason, setReason] = useState("");
  const [confirmed, setConfirmed] = useState(false);
  const { files } = question.preview.release;
  // What was agreed to was another list than the one that stands here now.
  useEffect(() => setConfirmed(false), [question.preview.fingerprint]);
  const count = files.length === 1 ? "this record" : `these ${files.length} records`;
  return (
    <Dialog
      title={confirmed ? `Really set ${count} aside?` : "Set stale records aside?"}
      onClose={leaveRecovery}
      actions={
        <>
          <Button onClick={leaveRecovery}>Leave it as it is</Button>
          {confirmed ? (
            <Button kind="danger" busy={isBusy("recover")} onClick={() => void recover(reason.trim())}>
              Set aside now
            </Button>
          ) : (
            <Button kind="danger" disabled={files.length === 0} reason={reason.trim() ? null : "Say why first."} onClick={() => setConfirmed(true)}>
              Set aside …
            </Button>
          )}
        </>
      }
    >
      <Changed question={question} />
      <section class="listed">
        <h3>These records go</h3>
        <ul class="bullets">
          {files.map((file) => (
            <li key={file.name}>
              <code>{file.name}</code>
              <br />
              {RELEASE_REASONS[file.reason] ?? file.reason}
            </li>
          ))}
        </ul>
      </section>
      {confirmed ? (
        <p>
          Each is copied to a folder of its own first, with a list of what it was. EMS Admin then goes on as if they had never been
          there. Reason given: <strong>{reason.trim()}</strong>
        </p>
      ) : (
        <>
          <Kept question={question} />
          <TextField
            label="Reason"
            value={reason}
            onChange={(text) => setReason(text.slice(0, LONGEST_REASON))}
            maxLength={LONGEST_REASON}
            hint={`Kept with the copies. At most ${LONGEST_REASON} characters.`}
          />
        </>
      )}
      <RefusalNote corner="recovery-dialog" />
    </Dialog>
  );
}
