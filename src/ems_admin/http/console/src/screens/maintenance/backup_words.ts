/** What a backup is called, and what is said of it. */

import type { Backup, BackupScope } from "../../server/maintenance_shapes";
import { day } from "../../parts/time";

export const SCOPE_WORDS: Record<BackupScope, string> = { config: "Configuration", full: "Everything" };

export function backupTitle(backup: Backup): string {
  return backup.label || (backup.origin === "upgrade" ? "Before an upgrade" : `Backup of ${day(backup.created_at)}`);
}

export function originWords(origin: Backup["origin"]): string | null {
  return origin === "upgrade" ? "made by an upgrade" : null;
}

const KILO = 1024;

export function sizeWords(bytes: number): string {
  if (bytes < KILO) return `${bytes} bytes`;
  if (bytes < KILO * KILO) return `${Math.round(bytes / KILO)} kB`;
  return `${(bytes / KILO / KILO).toFixed(1)} MB`;
}
