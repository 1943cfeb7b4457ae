/** Backups: copies to go back to, how many are kept, and bringing one from elsewhere. */

import { useState } from "preact/hooks";
import type { Backup } from "../../server/maintenance_shapes";
import { JobProgress } from "../../panels/JobProgress";
import { RefusalNote } from "../../panels/RefusalNote";
import { backups, readBackups } from "../../stores/backups";
import { tooLarge } from "../../stores/upload";
import { model, newestJob } from "../../stores/console";
import { jobTitle } from "../../setup/jobs";
import { Button } from "../../parts/Button";
import { Icon } from "../../parts/Icon";
import { Note, Pill } from "../../parts/Note";
import { RoomHead } from "../../parts/RoomHead";
import { Waiting } from "../../parts/Waiting";
import { address, further } from "../../tab/route";
import { useRead } from "../useRead";
import { BackupPage } from "./BackupPage";
import { MakeBackup } from "./MakeBackup";
import { Retention } from "./Retention";
import { UploadBackup } from "./UploadBackup";
import { backupLine, backupTitle } from "./backup_words";

export function BackupsRoom() {
  const job = newestJob(["backup_create", "backup_restore"]);
  useRead(readBackups, true, job?.status, job?.id);
  const open = further.value;
  const list = backups.value;
  const found = open === null ? null : list?.backups.find((backup) => backup.id === open);
  if (found) return <BackupPage backup={found} />;
  return (
    <>
      <BackupsHead />
      <RefusalNote corner="backups" />
      {job && job.status !== "succeeded" && <JobProgress job={job} corner="backups" title={jobTitle(job.kind)} />}
      {tooLarge.value && <Note tone="attention" title="This file is too large to be a backup" urgent onDismiss={() => (tooLarge.value = false)} />}
      {list?.unreadable && (
        <Note tone="trouble" title="The backups cannot be looked at">
          <p>The folder they lie in cannot be read. Nothing is said about what is in it, and nothing in it is changed.</p>
        </Note>
      )}
      {list === null ? <Waiting what="the backups" /> : <Sets sets={list.backups} missing={open !== null} known={!list.unreadable} />}
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
            : "A copy of your configuration, with the passwords of your brokers. One that is locked with a password can be taken along."
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

const MADE_HERE = "Those you make, and those an upgrade makes by itself, lie here. Lock one with a password, and you can keep it elsewhere too.";

function Sets({ sets, missing, known }: { sets: readonly Backup[]; missing: boolean; known: boolean }) {
  const first = model.value?.install_state.state === "none";
  return (
    <>
      {missing && known && <Note tone="attention" title="This backup is not there any more" />}
      {sets.length === 0 && known && (
        <div class="empty">
          <div class="empty-signs">
            <Icon name="safe" />
          </div>
          <h3>No backup yet</h3>
          <p class="soft">{first ? "Bring the file that you have downloaded from the other machine. It is looked into before anything is restored." : MADE_HERE}</p>
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
        <Icon name={backup.damage ? "warning" : backup.locked ? "lock" : "safe"} />
      </span>
      <span class="backup-words">
        <strong>{title}</strong>
        <span class="hint">{backupLine(backup)}</span>
      </span>
      {backup.damage ? <Pill tone="trouble">Damaged</Pill> : backup.locked && <Pill tone="plain">Locked</Pill>}
    </a>
  );
}
