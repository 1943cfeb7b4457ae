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
import { RoomHead } from "../../parts/RoomHead";
import { clockTime } from "../../parts/time";
import { address, go } from "../../tab/route";
import { AskFirst } from "./AskFirst";
import { RestoreBackup } from "./RestoreBackup";
import { backupTitle, originWords, SCOPE_WORDS, sizeWords } from "./backup_words";

export function BackupPage({ backup }: { backup: Backup }) {
  const { id, encrypted } = backup;
  useEffect(() => {
    // A locked one is opened by whoever has its password; any other is simply open.
    if (!encrypted) void inspect(id, null);
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
      <section class="card card-flat" aria-label="About this backup">
        <dl class="facts">
          <Fact name="Made" value={[clockTime(backup.created_at), originWords(backup.origin)].filter(Boolean).join(", ")} />
          <Fact name="Holds" value={SCOPE_WORDS[backup.scope]} />
          {backup.system_tag && <Fact name="System Build" value={backup.system_tag} />}
          <Fact name="Size" value={sizeWords(backup.bytes)} />
          <Fact name="Lock" value={encrypted ? "with a password" : "none"} />
        </dl>
        <div class="row">
          <a class="button" href={`${BACKUPS}/${encodeURIComponent(id)}/download`} download={`${id}.emsbackup`}>
            <Icon name="down" />
            <span>Download</span>
          </a>
          <Remove backup={backup} />
        </div>
      </section>
      <RefusalNote corner="backups" />
      {!inside && encrypted && <Unlock id={id} />}
      {inside && <Inside id={id} password={inside.password} files={inside.contents.files} />}
      {inside && <RestoreBackup id={id} password={inside.password} />}
    </>
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

interface InsideProps {
  id: string;
  password: string | null;
  files: readonly { name: string; bytes: number }[];
}

function Inside({ id, password, files }: InsideProps) {
  const difference = compared.value?.id === id ? compared.value.diff : null;
  return (
    <section class="card card-flat" aria-labelledby="backup-inside">
      <h3 id="backup-inside">What is in it</h3>
      <ul class="facts">
        {files.map((file) => (
          <li key={file.name}>
            <span>{file.name}</span>
            <span>{sizeWords(file.bytes)}</span>
          </li>
        ))}
      </ul>
      {difference ? (
        <DiffView diff={difference} />
      ) : (
        <div>
          <Button busy={isBusy("backup-diff")} onClick={() => void compare(id, password)}>
            Compare with today
          </Button>
        </div>
      )}
    </section>
  );
}

function Remove({ backup }: { backup: Backup }) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button kind="quiet" icon="trash" onClick={() => setAsked(true)}>
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
          onYes={() => void removeBackup(backup.id).then((done) => (setAsked(false), done && go("maintenance", "backups")))}
        >
          <p>“{backupTitle(backup)}” of {clockTime(backup.created_at)} is gone for good then. Copies that you have downloaded stay.</p>
        </AskFirst>
      )}
    </>
  );
}
