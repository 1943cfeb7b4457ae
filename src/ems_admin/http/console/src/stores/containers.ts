/** The services of this machine, and the log of one of them. They are looked at while their room is open. */

import { effect, signal } from "@preact/signals";
import type { Container, ContainerAct } from "../server/maintenance_shapes";
import { Generation } from "../tab/generation";
import { Poller } from "../tab/poller";
import { act } from "./acts";
import { refresh } from "./console";
import { client, onNewInstance, reachable, signedIn } from "./session";

const CONTAINERS = "/api/admin/maintenance/containers";

export const containers = signal<readonly Container[] | null>(null);
/** Why they could not be asked at the last look, or null. */
export const unseen = signal<string | null>(null);
export const log = signal<{ service: string; lines: readonly string[] } | null>(null);

/** Enough to see what has just happened; what the server gives at most. */
export const LOG_LENGTHS = [100, 500] as const;
export const logLength = signal<number>(LOG_LENGTHS[0]);

const PAUSE = 3000;
const looks = new Poller(read, () => PAUSE);
const logGeneration = new Generation();
let reading: string | null = null;
const logs = new Poller(readLog, () => PAUSE);

/** Look as long as the room is open, somebody is signed in and the server answers. */
export function watchContainers(): () => void {
  return effect(() => {
    if (!signedIn.value || !reachable.value) return;
    looks.start();
    return () => looks.stop();
  });
}

async function read(wanted: () => boolean): Promise<void> {
  const answer = await client.get<{ containers: Container[] | null; unseen: { message: string } | null }>(CONTAINERS);
  if (!wanted() || answer.ok === null) return;
  if (answer.ok) {
    unseen.value = answer.unseen?.message ?? null;
    containers.value = answer.containers ?? containers.value;
  } else {
    unseen.value = answer.error === "not_authenticated" ? null : answer.message;
  }
}

export function watchLog(service: string): () => void {
  reading = service;
  log.value = null;
  const end = effect(() => {
    if (!signedIn.value || !reachable.value) return;
    logs.start();
    return () => logs.stop();
  });
  return () => {
    end();
    logGeneration.raise();
    log.value = null;
  };
}

async function readLog(wanted: () => boolean): Promise<void> {
  const service = reading;
  const newest = logGeneration.mark();
  if (!service) return;
  const answer = await client.get<{ lines: string[] | null }>(`${CONTAINERS}/${encodeURIComponent(service)}/logs?lines=${logLength.value}`);
  if (wanted() && newest() && answer.ok && answer.lines) log.value = { service, lines: answer.lines };
}

export function showLines(count: number): void {
  logLength.value = count;
  logGeneration.raise();
  logs.nudge();
}

export async function control(service: string, action: ContainerAct): Promise<boolean> {
  const path = `${CONTAINERS}/${encodeURIComponent(service)}/${action}`;
  const answer = await act("containers", `${action}-${service}`, () => client.post(path, { confirm: true }));
  await refresh();
  looks.nudge();
  return answer.ok === true;
}

onNewInstance(() => {
  if (looks.active) looks.start();
  if (logs.active) logs.start();
});
