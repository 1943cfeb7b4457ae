/** The target of an upgrade: the builds there are, the one that is chosen, what was verified of it, and the options. */

import { computed, signal } from "@preact/signals";
import type { Answer } from "../server/client";
import type { Build } from "../server/setup_shapes";
import { type UpgradeVerification } from "../server/upgrade_shapes";
import { UPGRADE_OPTIONS, type UpgradeOption, type UpgradeOptions } from "../server/upgrade_view";
import { Generation } from "../tab/generation";
import { act, dismissRefusal, isBusy } from "./acts";
import { client, onNewInstance } from "./session";

export const UPGRADE = "/api/admin/maintenance/upgrade";

export const targets = signal<Build[] | null>(null);
export const options = signal<UpgradeOptions>(Object.fromEntries(UPGRADE_OPTIONS.map((name) => [name, true])) as UpgradeOptions);
export const verified = signal<UpgradeVerification | null>(null);
export const verifying = signal(false);

const pick = signal<string | null>(null);
/** The operator's pick; where there is but one way forward, that. */
export const target = computed<string | null>(() => {
  const forward = (targets.value ?? []).filter((build) => build.selectable);
  return pick.value ?? (forward.length === 1 ? (forward[0]?.system_tag ?? null) : null);
});

const generation = new Generation();
/** One round is one target with one set of options: two clicks share its request, and none of another round. */
let round = 0;

/** Ask once in this round, and hear the answer only in it. */
export function inThisRound<T>(what: string, ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const wanted = generation.mark();
  return act("upgrade", `upgrade-${what}-${round}`, async () => {
    const answer = await ask();
    // What comes too late says nothing, a refusal no more than a yes.
    return wanted() ? answer : { ok: null };
  });
}

export function isAsking(what: string): boolean {
  return isBusy(`upgrade-${what}-${round}`);
}

const dropped: (() => void)[] = [];

/** Called when what was verified is not what is chosen any more: what was planned upon it goes as well. */
export function onDrop(listener: () => void): void {
  dropped.push(listener);
}

function drop(): void {
  round += 1;
  generation.raise();
  verified.value = null;
  verifying.value = false;
  dismissRefusal("upgrade");
  dropped.forEach((listener) => listener());
}

export async function readTargets(): Promise<void> {
  const answer = await act("upgrade", "upgrade-targets", () => client.get<{ builds: Build[] }>("/api/setup/releases?flow=upgrade"));
  if (!answer.ok) return;
  targets.value = answer.builds;
  if (target.value && !verified.value) void verifyTarget();
}

export function chooseTarget(tag: string): void {
  if (tag === target.value && verified.value) return;
  drop();
  pick.value = tag;
  void verifyTarget();
}

export function setOption(name: UpgradeOption, on: boolean): void {
  if (options.value[name] === on) return;
  drop();
  options.value = { ...options.value, [name]: on };
  void verifyTarget();
}

/** Verify what is chosen now. An answer for what was chosen before goes unheard. */
export async function verifyTarget(): Promise<UpgradeVerification | null> {
  const tag = target.value;
  if (tag === null) return null;
  const wanted = generation.mark();
  verifying.value = true;
  const answer = await inThisRound("verify", () => client.post<UpgradeVerification>(`${UPGRADE}/validate`, { tag }));
  if (!wanted()) return null;
  verifying.value = false;
  if (!answer.ok) return null;
  verified.value = answer;
  return answer;
}

/** Whether an upgrade to the chosen build may be planned. */
export const mayBePlanned = computed(() => {
  const state = verified.value?.action_state;
  return state !== undefined && !state.busy && state.terminal_error === null && (state.continue_allowed || state.admin_update_allowed);
});

/** Choose again what an upgrade was begun with that can no longer be carried on. */
export function chooseAgain(tag: string, chosen: UpgradeOptions | null): void {
  drop();
  pick.value = tag;
  if (chosen) options.value = chosen;
  void verifyTarget();
}

/** The upgrade is over or was called off: the next one begins with a fresh choice. */
export function beginAnew(): void {
  drop();
  pick.value = null;
  targets.value = null;
}

onNewInstance(() => {
  drop();
  targets.value = null;
});
