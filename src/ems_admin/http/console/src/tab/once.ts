/** Two clicks share one request: while an act is under way, asking for it again joins it. */

export class Once {
  private readonly running = new Map<string, Promise<unknown>>();

  run<T>(key: string, act: () => Promise<T>): Promise<T> {
    const joined = this.running.get(key);
    if (joined) return joined as Promise<T>;
    const started = act().finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }

  isRunning(key: string): boolean {
    return this.running.has(key);
  }
}
