/** Asks again and again. Each poller owns its one timer and the generation it was started in. */

import { Generation } from "./generation";

export interface Clock {
  now: () => number;
  setTimeout: (act: () => void, milliseconds: number) => unknown;
  clearTimeout: (timer: unknown) => void;
}

export const wallClock: Clock = {
  now: () => performance.now(),
  setTimeout: (act, milliseconds) => setTimeout(act, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

/** No loop asks faster than this, whoever nudges it. */
const SHORTEST_PAUSE = 1000;

export class Poller {
  private readonly generation = new Generation();
  private timer: unknown = null;
  private lastRun = -Infinity;
  private running = false;

  constructor(
    private readonly look: (wanted: () => boolean) => Promise<void>,
    private readonly pause: () => number,
    private readonly clock: Clock = wallClock,
  ) {}

  get active(): boolean {
    return this.running;
  }

  /** Look now and then again after each pause. Starting twice leaves one timer, and the older round unheard. */
  start(): void {
    this.stop();
    this.running = true;
    void this.round();
  }

  stop(): void {
    this.running = false;
    this.generation.raise();
    this.drop();
  }

  /** Look sooner than planned: a hint came in. Hints cannot make the loop faster than its shortest pause. */
  nudge(): void {
    if (!this.running || this.timer === null) return;
    this.drop();
    this.plan(Math.max(0, this.lastRun + SHORTEST_PAUSE - this.clock.now()), this.generation.mark());
  }

  private async round(): Promise<void> {
    const wanted = this.generation.mark();
    this.lastRun = this.clock.now();
    await this.look(wanted);
    if (wanted()) this.plan(Math.max(SHORTEST_PAUSE, this.pause()), wanted);
  }

  private plan(milliseconds: number, wanted: () => boolean): void {
    this.timer = this.clock.setTimeout(() => {
      this.timer = null;
      if (wanted()) void this.round();
    }, milliseconds);
  }

  private drop(): void {
    if (this.timer !== null) this.clock.clearTimeout(this.timer);
    this.timer = null;
  }
}
