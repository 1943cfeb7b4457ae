/** Bringing a backup here that was downloaded before. */

import { useRef } from "preact/hooks";
import { isBusy } from "../../stores/acts";
import { bringBackup } from "../../stores/upload";
import { Button } from "../../parts/Button";
import { go, staysHere } from "../../tab/route";

export function UploadBackup({ primary }: { primary: boolean }) {
  const chooser = useRef<HTMLInputElement>(null);
  const bring = async (file: File | undefined) => {
    if (!file) return;
    const stillHere = staysHere();
    const id = await bringBackup(file);
    if (chooser.current) chooser.current.value = "";
    if (id && stillHere()) go("maintenance", "backups", id);
  };
  return (
    <>
      <input ref={chooser} class="for-ears" type="file" tabIndex={-1} aria-label="Backup file" onChange={(event) => void bring(event.currentTarget.files?.[0])} />
      <Button kind={primary ? "primary" : "plain"} icon="up" busy={isBusy("backup-upload")} onClick={() => chooser.current?.click()}>
        Bring a file
      </Button>
    </>
  );
}
