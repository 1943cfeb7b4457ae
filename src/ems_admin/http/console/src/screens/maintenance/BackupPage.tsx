/** One backup: what is in it, how it differs from today, taking it along, going back to it, removing it. */

import { useEffect, useState } from "preact/hooks";
import type { Backup } from "../../server/maintenance_shapes";
import { RefusalNote } from "../../panels/RefusalNote";
import { isBusy } from "../../stores/acts";
import { BACKUPS, closeBackup, compare, compared, inspect, opened, removeBackup } from "../../stores/backups";
import { Button } from "../../parts/Button";
import { DiffView } from "../../parts/DiffView";
import { Fact } from "../../parts/Fact";
import { TextField } from "../../parts/Field";
import { Icon } from "../../parts/Icon";
import { Note } from "../../parts/Note";
import { RoomHead } from "../../parts/RoomHead";
import { clockTime } from "../../parts/time";
import { address, go, staysHere } from "../../tab/route";
import { AskFirst } from "./AskFirst";
import { RestoreBackup } from "./RestoreBackup";
import { backupTitle, originWords, SCOPE_WORDS, sizeWords } from "./backup_words";

export function BackupPage({ backup }: { backup: Backup }) {
  const { id, locked, damage } = backup;
  useEffect(() => {
    // A locked one is opened by whoever has its password; any other is simply open.
    if (!locked && !damage) void inspect(id, null);
    return closeBackup;
  }, [id]);
  const inside = opened.value?.id === id ? opened.value : null;
  return (
    <>
      <a class="page-back" href={address("maintenance", "backups")}>
        <Icon name="back" />
        <span>All backups</span>
      </a>
      <RoomHead title={backupTitle(backup)} />
      {damage && (
        <Note tone="trouble" title="Nothing can be taken out of it">
          <p>The file in its place is not whole ({damage.fault.replaceAll("_", " ")}). It stays as it is until you delete it.</p>
        </Note>
      )}
      <About backup={backup} />
      <RefusalNote corner="backups" />
      {!inside && locked && <Unlock id={id} />}
      {inside && <Inside password={inside.password} backup={inside.backup} />}
      {inside && <RestoreBackup id={id} password={inside.password} />}
    </>
  );
}

function About({ backup }: { backup: Backup }) {
  return (
    <section class="card card-flat" aria-label="About this backup">
      <dl class="facts">
        {!backup.damage && <Fact name="Made" value={[clockTime(backup.created_at), originWords(backup)].filter(Boolean).join(", ")} />}
        {backup.scope && <Fact name="Holds" value={SCOPE_WORDS[backup.scope]} />}
        {backup.system_tag && <Fact name="System Build" value={backup.system_tag} />}
        <Fact name="Size" value={sizeWords(backup.bytes)} />
        {!backup.damage && <Fact name="Lock" value={backup.locked ? "with a password" : "none"} />}
      </dl>
      <div class="row">
        {backup.locked && (
          <a class="button" href={`${BACKUPS}/${encodeURIComponent(backup.id)}/download`} download={`${backup.id}.emsbackup`}>
            <Icon name="down" />
            <span>Download</span>
          </a>
        )}
        <Remove backup={backup} />
      </div>
      {!backup.locked && !backup.damage && <p class="hint">It holds passwords and is not locked, so it stays on this machine. One that is locked can be downloaded.</p>}
    </section>
  );
}

function Unlock({ id }: { id: string }) {
  const [password, setPassword] = useState("");
  return (
    <form
      class="card card-flat"
      onSubmit={(event) => {
        event.preventDefault();
        void inspect(id, password);
      }}
    >
      <h3>This backup is locked</h3>
      <TextField label="Password of the backup" type="password" autocomplete="off" value={password} onChange={setPassword} />
      <div>
        <Button submit kind="primary" icon="lock" busy={isBusy("backup-inspect")} disabled={password === ""}>
          Open it
        </Button>
      </div>
    </form>
  );
}

function Inside({ password, backup }: { password: string | null; backup: Backup }) {
  const difference = compared.value?.id === backup.id ? compared.value.diff : null;
  return (
    <section class="card card-flat" aria-labelledby="backup-inside">
      <h3 id="backup-inside">What is in it</h3>
      <ul class="facts">
        {(backup.files ?? []).map((file) => (
          <li key={file.name}>
            <span>{file.name}</span>
            <span>{sizeWords(file.bytes)}</span>
          </li>
        ))}
        {(backup.left_out ?? []).map((file) => (
          <li key={file.name}>
            <span>{file.name}</span>
            <span>could not be kept: {file.fault.replaceAll("_", " ")}</span>
          </li>
        ))}
      </ul>
      {difference ? (
        <DiffView diff={difference} />
      ) : (
        <div>
          <Button busy={isBusy("backup-diff")} onClick={() => void compare(backup.id, password)}>
            Compare with today
          </Button>
        </div>
      )}
    </section>
  );
}

function Remove({ backup }: { backup: Backup }) {
  const stillHere = staysHere();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button kind="quiet" icon="trash" reason={backup.deletable ? null : "An upgrade that is not over rests on it."} onClick={() => setAsked(true)}>
        Delete
      </Button>
      {asked && (
        <AskFirst
          title="Delete this backup?"
          yes="Delete"
          no="Keep it"
          danger
          busy={isBusy("backup-delete")}
          onClose={() => setAsked(false)}
          onYes={() => void removeBackup(backup.id).then((done) => (setAsked(false), done && stillHere() && go("maintenance", "backups")))}
        >
          <p>“{backupTitle(backup)}” is gone for good then. Copies that you have downloaded stay.</p>
        </AskFirst>
      )}
    </>
  );
}
