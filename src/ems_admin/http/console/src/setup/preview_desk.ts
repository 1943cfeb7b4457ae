/** Asks for previews: after a pause in typing, never two for the same draft, and no late answer is heard. */

import { Generation } from "../tab/generation";
import { wallClock, type Clock } from "../tab/poller";
import type { Answer } from "../server/client";

export interface Desk<D, P> {
  ask: (draft: D) => Promise<Answer<P>>;
  answered: (answer: Answer<P>) => void;
}

const PAUSE_IN_TYPING = 400;

export class PreviewDesk<D, P> {
  private readonly generation = new Generation();
  private timer: unknown = null;
  private asked: string | null = null;

  constructor(
    private readonly desk: Desk<D, P>,
    private readonly clock: Clock = wallClock,
  ) {}

  want(draft: D): void {
    if (this.asked === JSON.stringify(draft)) return;
    this.drop();
    this.timer = this.clock.setTimeout(() => {
      this.timer = null;
      void this.send(draft);
    }, PAUSE_IN_TYPING);
  }

  wantNow(draft: D): void {
    this.drop();
    void this.send(draft);
  }

  /** Forget the timer, and every answer that is still on its way. */
  drop(): void {
    if (this.timer !== null) this.clock.clearTimeout(this.timer);
    this.timer = null;
    this.asked = null;
    this.generation.raise();
  }

  private async send(draft: D): Promise<void> {
    const wanted = this.generation.mark();
    this.asked = JSON.stringify(draft);
    const answer = await this.desk.ask(draft);
    if (!wanted()) return;
    // A refusal, or no answer at all, must not stand in the way of asking again.
    if (!answer.ok) this.asked = null;
    this.desk.answered(answer);
  }
}
