/** Making a backup: how much, what to call it, and a password for whoever wants one. */

import { useState } from "preact/hooks";
import type { BackupScope } from "../../server/maintenance_shapes";
import { RefusalNote } from "../../panels/RefusalNote";
import { isBusy } from "../../stores/acts";
import { makeBackup } from "../../stores/backups";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { SelectField, Switch, TextField } from "../../parts/Field";

const SCOPES = [
  { value: "full", label: "Everything" },
  { value: "config", label: "Configuration only" },
] as const;

const SCOPE_HINTS: Record<BackupScope, string> = {
  full: "The configuration, its passwords, and what tells how this machine was set up.",
  config: "The configuration and its passwords.",
};

export function MakeBackup({ onClose }: { onClose: () => void }) {
  const [scope, setScope] = useState<BackupScope>("full");
  const [label, setLabel] = useState("");
  const [locked, setLocked] = useState(false);
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const mistyped = locked && repeated !== "" && password !== repeated;
  const ready = !locked || (password !== "" && password === repeated);
  const make = () => void makeBackup({ scope, label: label.trim(), password: locked ? password : "" }).then((done) => done && onClose());
  return (
    <Dialog
      title="Make a backup"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={isBusy("backup-create")} disabled={!ready} onClick={make}>
            Make it
          </Button>
        </>
      }
    >
      <SelectField label="How much" value={scope} options={SCOPES} hint={SCOPE_HINTS[scope]} onChange={(next) => setScope(next === "config" ? "config" : "full")} />
      <TextField label="Name" value={label} maxLength={80} placeholder="Before the new battery" hint="Optional" onChange={setLabel} />
      <Switch label="Lock it with a password" hint="Nobody can open it without. Nobody can help you when you forget it." on={locked} onChange={setLocked} />
      {locked && (
        <div class="fields">
          <TextField label="Password of the backup" type="password" autocomplete="new-password" value={password} onChange={setPassword} />
          <TextField
            label="Repeat it"
            type="password"
            autocomplete="new-password"
            value={repeated}
            onChange={setRepeated}
            fault={mistyped ? "This is not the same." : null}
          />
        </div>
      )}
      <RefusalNote corner="backup-dialog" />
    </Dialog>
  );
}
