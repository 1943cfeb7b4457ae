/** Asking the server. An answer has three values: yes, no with a reason, and "could not ask", which is never a no. */

import type { Refusal } from "./shapes";

/** Nobody answered, or what answered was not the Admin. The act may have happened; only the next read can tell. */
export interface Unasked {
  ok: null;
}

export type Granted<T> = { ok: true } & T;
export type Answer<T> = Granted<T> | Refusal | Unasked;

export interface Asking {
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ClientWorld {
  fetch: typeof fetch;
  /** The token of the session, null before sign-in. */
  csrfToken: () => string | null;
  /** The server no longer knows this session. */
  sessionLost: () => void;
  /** Nobody answered. */
  unreachable: () => void;
}

export class Client {
  constructor(private readonly world: ClientWorld) {}

  get<T>(path: string): Promise<Answer<T>> {
    return this.ask<T>("GET", path);
  }

  post<T>(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return this.ask<T>("POST", path, { body, headers });
  }

  async ask<T>(method: string, path: string, asking: Asking = {}): Promise<Answer<T>> {
    const answer = await this.fetchJson<T>(method, path, asking);
    if (answer.ok === null) this.world.unreachable();
    if (answer.ok === false && answer.error === "not_authenticated") this.world.sessionLost();
    return answer;
  }

  /** A file for the operator; a refusal comes as always. */
  async file(path: string, body: unknown): Promise<Answer<{ file: Blob }>> {
    try {
      const response = await this.send("POST", path, { body });
      if (response.ok) return { ok: true, file: await response.blob() };
      return understood<{ file: Blob }>(await response.json());
    } catch {
      this.world.unreachable();
      return { ok: null };
    }
  }

  private async fetchJson<T>(method: string, path: string, asking: Asking): Promise<Answer<T>> {
    try {
      const response = await this.send(method, path, asking);
      return understood<T>(await response.json());
    } catch {
      // A cut line, a proxy's error page, half an answer: all of them say nothing about what the server did.
      return { ok: null };
    }
  }

  private send(method: string, path: string, { body, headers }: Asking): Promise<Response> {
    const token = this.world.csrfToken();
    const mutation = method !== "GET";
    return this.world.fetch(path, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      headers: {
        Accept: "application/json",
        ...(mutation ? { "Content-Type": "application/json" } : {}),
        ...(mutation && token ? { "X-CSRF-Token": token } : {}),
        ...headers,
      },
      ...(mutation ? { body: JSON.stringify(body ?? {}) } : {}),
    });
  }
}

function understood<T>(value: unknown): Answer<T> {
  if (typeof value !== "object" || value === null || !("ok" in value)) return { ok: null };
  if (value.ok === true) return value as Granted<T>;
  const refusal = value as Partial<Refusal>;
  return {
    ...refusal,
    ok: false,
    error: typeof refusal.error === "string" ? refusal.error : "internal_error",
    message: typeof refusal.message === "string" ? refusal.message : "The server gave no reason.",
    next_actions: Array.isArray(refusal.next_actions) ? refusal.next_actions : [],
  };
}
