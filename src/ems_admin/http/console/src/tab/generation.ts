/** A generation tells an answer that still matters from one that came too late. */

export class Generation {
  private current = 0;

  /** Everything that is under way belongs to the past from here on. */
  raise(): void {
    this.current += 1;
  }

  /** Ask at the start of some work; the function answers later whether the work is still wanted. */
  mark(): () => boolean {
    const started = this.current;
    return () => started === this.current;
  }
}
