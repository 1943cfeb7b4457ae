/** What is installed, and what the next update would be. */

import { signal } from "@preact/signals";
import type { Overview } from "../server/maintenance_shapes";
import { act } from "./acts";
import { client, onNewInstance } from "./session";

export const overview = signal<Overview | null>(null);

export async function readOverview(): Promise<void> {
  const answer = await act("maintenance", "overview", () => client.get<Overview>("/api/admin/maintenance/overview"));
  if (answer.ok) overview.value = answer;
}

onNewInstance(() => {
  overview.value = null;
});
