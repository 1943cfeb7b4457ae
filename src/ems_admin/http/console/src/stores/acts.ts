/** Doing something: one request however often it is clicked, its refusal kept where the operator clicked. */

import { signal } from "@preact/signals";
import type { Answer } from "../server/client";
import type { Refusal } from "../server/shapes";
import type { Step } from "../setup/steps";
import { Once } from "../tab/once";

/** Where a refusal is shown. */
export type Corner = "sign-in" | "home" | "setup" | "state" | "recovery" | "recovery-dialog" | "switch" | Room | Step;

/** The rooms of Maintenance, and the questions that are asked in them. */
type Room =
  | "maintenance"
  | "editor"
  | "history"
  | "migration"
  | "containers"
  | "diagnostics"
  | "backups"
  | "backup-dialog"
  | "restore"
  | "upgrade"
  | "admin-update";

export const refusals = signal<Partial<Record<Corner, Refusal>>>({});
export const busyActs = signal<ReadonlySet<string>>(new Set());

const once = new Once();

export function isBusy(key: string): boolean {
  return busyActs.value.has(key);
}

export function dismissRefusal(corner: Corner): void {
  const { [corner]: _gone, ...rest } = refusals.value;
  refusals.value = rest;
}

export function showRefusal(corner: Corner, refusal: Refusal): void {
  refusals.value = { ...refusals.value, [corner]: refusal };
}

export function act<T>(corner: Corner, key: string, request: () => Promise<Answer<T>>): Promise<Answer<T>> {
  return once.run(key, async () => {
    dismissRefusal(corner);
    busyActs.value = new Set([...busyActs.value, key]);
    try {
      const answer = await request();
      // The sheet for signing in says this better than a sentence beside a button could.
      if (answer.ok === false && answer.error !== "not_authenticated") showRefusal(corner, answer);
      return answer;
    } finally {
      busyActs.value = new Set([...busyActs.value].filter((other) => other !== key));
    }
  });
}
