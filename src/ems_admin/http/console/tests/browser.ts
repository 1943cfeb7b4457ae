/** The little of a browser that the stores need, and a server that answers what a test tells it to. */

import { vi } from "vitest";
import { MemoryStorage, settled } from "./stage";

export type Reply = { status?: number; body: Record<string, unknown> };

export class Scene {
  readonly storage = new MemoryStorage();
  readonly asked: { method: string; path: string; body: Record<string, unknown> }[] = [];
  readonly replies = new Map<string, () => Reply | Promise<Reply>>();

  constructor() {
    vi.stubGlobal("window", {
      localStorage: this.storage,
      location: { hash: "" },
      addEventListener: () => undefined,
      scrollTo: () => undefined,
    });
    vi.stubGlobal("EventSource", class { close() {} });
    vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
      const method = init.method ?? "GET";
      this.asked.push({ method, path, body: init.body ? JSON.parse(String(init.body)) : {} });
      const reply = await this.replies.get(`${method} ${path}`)?.();
      if (!reply) throw new TypeError(`nobody answers ${method} ${path}`);
      return new Response(JSON.stringify(reply.body), { status: reply.status ?? 200 });
    });
  }

  answer(request: string, body: Record<string, unknown>): void {
    this.replies.set(request, () => ({ body: { ok: true, ...body } }));
  }

  refuse(request: string, error: string): void {
    this.replies.set(request, () => ({ status: 409, body: { ok: false, error, message: `Because ${error}.`, next_actions: [] } }));
  }

  count(path: string): number {
    return this.asked.filter((request) => request.path === path).length;
  }
}

export function workflow(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    workflow_id: "w1",
    status: "active",
    operation_id: "o1",
    transition_mode: "fresh_install",
    selected_system_tag: "v1.0.0",
    preview: null,
    generated: false,
    cleanup: { state: "not_required", failed_count: 0, review_count: 0, artifacts: [] },
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    ...change,
  };
}

export function consoleModel(setup: Record<string, unknown> | null): Record<string, unknown> {
  return {
    instance: { admin_instance_id: "i1", system_tag: "v1.0.0", build_id: "b", revision: "r", started_at: "2026-01-01T00:00:00Z" },
    engine: { kind: "native", state: "ready", code: null },
    install_state: { state: "none" },
    lifecycle: { owner: "guided_setup", state: "active", switchable: true, recoverable: true, blocking_reason: null, operation: null, fingerprint: "f1" },
    setup,
    alignment: { ok: true, active: true, transition: { operation_id: "o1", stage: "resources_verified", system_tag: "v1.0.0" } },
    jobs: [],
    deployment: { state: "none", services: [], dashboard_url: null, dashboard_reachable: null, errors: [], conflict: null },
    warnings: [],
    known_good: null,
    upgrade: { state: "planned", operation_id: null, target_system_tag: null, options: null, steps: [] },
    machines: {},
    actions: [],
  };
}

/** Answers travel through several hands before the stores have them. */
export async function arrived(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    await settled();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
