/** The declared machines with their diagrams, and the journal of what they did. */

import { computed, signal } from "@preact/signals";
import type { JournalLine, MachinePicture } from "../server/setup_shapes";
import { Generation } from "../tab/generation";
import { act } from "./acts";
import { client } from "./session";

export const pictures = signal<MachinePicture[] | null>(null);
export const drawing = signal<{ name: string; svg: string } | null>(null);
export const journal = signal<JournalLine[]>([]);

/** Enough to see what led here, little enough for a phone. */
const LINES_KEPT = 200;

const generation = new Generation();
const drawings = new Map<string, string>();

export async function readPictures(): Promise<void> {
  const answer = await act("state", "machines", () => client.get<{ machines: MachinePicture[] }>("/api/admin/machines"));
  if (answer.ok) pictures.value = answer.machines;
}

export async function draw(name: string): Promise<void> {
  generation.raise();
  const wanted = generation.mark();
  const known = drawings.get(name);
  drawing.value = known === undefined ? null : { name, svg: known };
  if (known !== undefined) return;
  const path = `/api/admin/machines/${encodeURIComponent(name)}`;
  const answer = await client.get<{ svg: string } | { machine: { svg: string } }>(path);
  if (!answer.ok) return;
  const svg = "machine" in answer ? answer.machine.svg : answer.svg;
  drawings.set(name, svg);
  if (wanted()) drawing.value = { name, svg };
}

const lastSequence = computed(() => journal.value.reduce((last, line) => Math.max(last, line.sequence), 0));

/** Read what was written since the last line that is known here. */
export async function readJournal(): Promise<void> {
  const since = journal.value.length === 0 ? "" : `?after=${lastSequence.value}`;
  const answer = await client.get<{ lines: JournalLine[] }>(`/api/admin/journal${since}`);
  if (!answer.ok || answer.lines.length === 0) return;
  const known = new Set(answer.lines.map((line) => line.sequence));
  const older = journal.value.filter((line) => !known.has(line.sequence));
  journal.value = [...older, ...answer.lines].sort((a, b) => a.sequence - b.sequence).slice(-LINES_KEPT);
}
