/** A backup set from the disk of the person at the page. */

import { signal } from "@preact/signals";
import type { Backup } from "../server/maintenance_shapes";
import { act } from "./acts";
import { BACKUPS, readBackups } from "./backups";
import { client } from "./session";

/** Larger than any set; what is larger is something else, and is not sent at all. */
const LARGEST = 4 * 1024 * 1024;

export const tooLarge = signal(false);

/** The id under which it lies here now, null when it was refused. */
export async function bringBackup(file: File): Promise<string | null> {
  tooLarge.value = file.size > LARGEST;
  if (tooLarge.value) return null;
  const answer = await act("backups", "backup-upload", async () =>
    client.post<Backup>(`${BACKUPS}/upload`, { data: await asBase64(file), confirm: true }),
  );
  if (!answer.ok) return null;
  await readBackups();
  return answer.id;
}

async function asBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
