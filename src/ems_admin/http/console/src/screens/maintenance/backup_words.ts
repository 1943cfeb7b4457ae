/** What a backup is called, and what is said of it. */

import type { Backup, BackupScope } from "../../server/maintenance_shapes";
import { clockTime, day } from "../../parts/time";

export const SCOPE_WORDS: Record<BackupScope, string> = { config: "Configuration", full: "Everything" };

export function backupTitle(backup: Backup): string {
  if (backup.damage) return "A damaged backup";
  return backup.label || (backup.origin === "upgrade" ? "Before an upgrade" : `Backup of ${day(backup.created_at)}`);
}

/** One line: when, how much, how large, by whom. */
export function backupLine(backup: Backup): string {
  if (backup.damage) return backup.id;
  const said = [clockTime(backup.created_at), backup.scope && SCOPE_WORDS[backup.scope], sizeWords(backup.bytes), originWords(backup)];
  return said.filter(Boolean).join(" · ");
}

export function originWords(backup: Backup): string | null {
  return backup.origin === "upgrade" ? "made by an upgrade" : null;
}

const KILO = 1024;

export function sizeWords(bytes: number | null): string {
  if (bytes === null) return "size unknown";
  if (bytes < KILO) return `${bytes} bytes`;
  if (bytes < KILO * KILO) return `${Math.round(bytes / KILO)} kB`;
  return `${(bytes / KILO / KILO).toFixed(1)} MB`;
}
