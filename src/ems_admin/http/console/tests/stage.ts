/** What the tests stand on: a clock that is turned by hand, a storage in memory, promises that are kept when told. */

import type { Clock } from "../src/tab/poller";

export class HandClock implements Clock {
  private time = 0;
  private timers = new Map<number, { at: number; act: () => void }>();
  private last = 0;

  now = (): number => this.time;

  setTimeout = (act: () => void, milliseconds: number): unknown => {
    this.timers.set(++this.last, { at: this.time + milliseconds, act });
    return this.last;
  };

  clearTimeout = (timer: unknown): void => {
    this.timers.delete(timer as number);
  };

  get waiting(): number {
    return this.timers.size;
  }

  /** Let time pass, timer by timer, with everything that each one sets off. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.timers.delete(due[0]);
      this.time = due[1].at;
      due[1].act();
      await settled();
    }
    this.time = end;
  }
}

export class MemoryStorage {
  readonly kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}

/** A promise whose moment the test chooses. */
export function later<T>(): { promise: Promise<T>; keep: (value: T) => void; break: (reason: Error) => void } {
  let keep!: (value: T) => void;
  let fail!: (reason: Error) => void;
  const promise = new Promise<T>((resolve, reject) => {
    keep = resolve;
    fail = reject;
  });
  return { promise, keep, break: fail };
}

/** Every microtask that is due has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
