/** Brokers that are written inside single devices, and the config of the old layout: each moves once, after a review. */

import { signal } from "@preact/signals";
import type { MigrationReview } from "../server/config_shapes";
import { act, dismissRefusal } from "./acts";
import { refresh } from "./console";
import { discardEdit } from "./editor";
import { client } from "./session";

const MIGRATION = "/api/admin/maintenance/mqtt";

export const review = signal<MigrationReview | null>(null);
/** What was reviewed is not what is there by now; it has been read again. */
export const reviewChanged = signal(false);
export const migrated = signal(false);

export async function readMigration(): Promise<void> {
  const answer = await act("migration", "migration-review", () => client.get<MigrationReview>(`${MIGRATION}/migration-review`));
  if (answer.ok) review.value = answer;
}

const CHANGED: ReadonlySet<string> = new Set(["migration_review_stale", "conflict"]);

export async function migrate(backup: boolean): Promise<void> {
  const reviewed = review.value;
  if (!reviewed) return;
  reviewChanged.value = false;
  const body = { revision: reviewed.revision, migration_revision: reviewed.migration_revision, confirm: true, backup };
  const answer = await act("migration", "migrate", () => client.post(`${MIGRATION}/migration-apply`, body));
  if (answer.ok) {
    migrated.value = true;
    await discardEdit();
    await readMigration();
    await refresh();
  } else if (answer.ok === false && CHANGED.has(answer.error)) {
    await readMigration();
    dismissRefusal("migration");
    reviewChanged.value = true;
  }
}

export async function takeLegacyOver(overwrite: boolean): Promise<void> {
  const body = { confirm: true, ...(overwrite ? { overwrite: true } : {}) };
  await act("maintenance", "migrate-legacy", () => client.post("/api/admin/config/migrate-legacy", body));
  await refresh();
}
