/** Backups: copies to go back to, how many are kept, and bringing one from elsewhere. */

import { useEffect, useState } from "preact/hooks";
import type { Backup } from "../../server/maintenance_shapes";
import { JobProgress } from "../../panels/JobProgress";
import { RefusalNote } from "../../panels/RefusalNote";
import { backups, readBackups, readRetention } from "../../stores/backups";
import { model, newestJob } from "../../stores/console";
import { jobTitle } from "../../setup/jobs";
import { Button } from "../../parts/Button";
import { Icon } from "../../parts/Icon";
import { Note, Pill } from "../../parts/Note";
import { RoomHead } from "../../parts/RoomHead";
import { clockTime } from "../../parts/time";
import { Waiting } from "../../parts/Waiting";
import { address, further } from "../../tab/route";
import { BackupPage } from "./BackupPage";
import { MakeBackup } from "./MakeBackup";
import { Retention } from "./Retention";
import { UploadBackup } from "./UploadBackup";
import { backupTitle, originWords, SCOPE_WORDS, sizeWords } from "./backup_words";

export function BackupsRoom() {
  const job = newestJob(["backup_create", "backup_restore"]);
  useEffect(() => {
    void readBackups();
    void readRetention();
  }, [job?.status, job?.id]);
  const open = further.value;
  const found = open === null ? null : backups.value?.find((backup) => backup.id === open);
  if (found) return <BackupPage backup={found} />;
  return (
    <>
      <BackupsHead />
      <RefusalNote corner="backups" />
      {job && job.status !== "succeeded" && <JobProgress job={job} corner="backups" title={jobTitle(job.kind)} />}
      {backups.value === null ? <Waiting what="the backups" /> : <Sets sets={backups.value} missing={open !== null} />}
      <Retention />
    </>
  );
}

function BackupsHead() {
  const [making, setMaking] = useState(false);
  // Where nothing is installed there is nothing to copy yet, only something to bring back.
  const first = model.value?.install_state.state === "none";
  return (
    <>
      <RoomHead
        title="Backups"
        lead={
          first
            ? "Bring a copy of an earlier configuration back. Guided setup then begins with it."
            : "A copy of your configuration, with the passwords of your brokers. You can lock it with a password and take it with you."
        }
        actions={
          <>
            {!first && (
              <Button kind="primary" icon="safe" onClick={() => setMaking(true)}>
                Make a backup
              </Button>
            )}
            <UploadBackup primary={first} />
          </>
        }
      />
      {making && <MakeBackup onClose={() => setMaking(false)} />}
    </>
  );
}

function Sets({ sets, missing }: { sets: readonly Backup[]; missing: boolean }) {
  return (
    <>
      {missing && <Note tone="attention" title="This backup is not there any more" />}
      {sets.length === 0 && (
        <div class="empty">
          <div class="empty-signs">
            <Icon name="safe" />
          </div>
          <h3>No backup yet</h3>
          <p class="soft">Those you make, and those an upgrade makes by itself, lie here. Keep one elsewhere too: download it.</p>
        </div>
      )}
      <ul class="stack" aria-label="Backups">
        {sets.map((backup) => (
          <li key={backup.id}>
            <BackupCard backup={backup} />
          </li>
        ))}
      </ul>
    </>
  );
}

function BackupCard({ backup }: { backup: Backup }) {
  const title = backupTitle(backup);
  return (
    <a class="backup-card" href={address("maintenance", "backups", backup.id)}>
      <span class="device-sign">
        <Icon name={backup.encrypted ? "lock" : "safe"} />
      </span>
      <span class="backup-words">
        <strong>{title}</strong>
        <span class="hint">
          {[clockTime(backup.created_at), SCOPE_WORDS[backup.scope], sizeWords(backup.bytes), originWords(backup.origin)].filter(Boolean).join(" · ")}
        </span>
      </span>
      {backup.encrypted && <Pill tone="plain">Locked</Pill>}
    </a>
  );
}
