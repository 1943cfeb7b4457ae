/** The backup sets of this site: made, looked into, brought here, removed, and how many are kept. */

import { signal } from "@preact/signals";
import type { Backup, BackupList, BackupScope } from "../server/maintenance_shapes";
import type { Job } from "../server/shapes";
import type { Diff } from "../server/setup_shapes";
import { act } from "./acts";
import { refresh } from "./console";
import { client, onNewInstance } from "./session";

export const BACKUPS = "/api/admin/maintenance/backups";

export const backups = signal<BackupList | null>(null);
/** The set that is looked into. Its password is held as long as it is on the screen, and nowhere else. */
export const opened = signal<{ id: string; password: string | null; backup: Backup } | null>(null);
export const compared = signal<{ id: string; diff: Diff } | null>(null);

export async function readBackups(): Promise<void> {
  const answer = await act("backups", "backups", () => client.get<BackupList>(BACKUPS));
  if (answer.ok) backups.value = answer;
}

export async function keepNewest(keep: number | null): Promise<boolean> {
  const answer = await act("backups", "retention", () => client.post(`${BACKUPS}/retention`, { keep, confirm: true }));
  await reread(answer.ok === true);
  return answer.ok === true;
}

/** A list that is read after a refusal would take the sentence with it. */
async function reread(granted: boolean): Promise<void> {
  if (granted) await readBackups();
}

export interface NewBackup {
  scope: BackupScope;
  label: string;
  password: string;
}

export async function makeBackup({ scope, label, password }: NewBackup): Promise<boolean> {
  const body = { scope, ...(label ? { label } : {}), ...(password ? { password } : {}), confirm: true };
  const answer = await act("backup-dialog", "backup-create", () => client.post<Job>(`${BACKUPS}/create`, body));
  await refresh();
  return answer.ok === true;
}

export async function inspect(id: string, password: string | null): Promise<boolean> {
  const answer = await act("backups", "backup-inspect", () => client.post<Backup>(`${BACKUPS}/inspect`, { id, ...secret(password) }));
  if (answer.ok) opened.value = { id, password, backup: answer };
  return answer.ok === true;
}

export async function compare(id: string, password: string | null): Promise<void> {
  const answer = await act("backups", "backup-diff", () => client.post<{ diff: Diff }>(`${BACKUPS}/diff`, { id, ...secret(password) }));
  if (answer.ok) compared.value = { id, diff: answer.diff };
}

export function secret(password: string | null): { password?: string } {
  return password ? { password } : {};
}

export async function removeBackup(id: string): Promise<boolean> {
  const answer = await act("backups", "backup-delete", () => client.post(`${BACKUPS}/delete`, { id, confirm: true }));
  await reread(answer.ok === true);
  return answer.ok === true;
}

export function closeBackup(): void {
  opened.value = null;
  compared.value = null;
}

onNewInstance(() => {
  backups.value = null;
});
