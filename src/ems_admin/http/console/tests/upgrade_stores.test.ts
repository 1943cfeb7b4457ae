/** The stores of an upgrade: nothing late is heard, two clicks are one request, and the same tab goes on by itself once. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { arrived, consoleModel, Scene, type Reply } from "./browser";
import { later } from "./stage";

const STATUS = { admin_instance_id: "i1", auth_configured: true, setup_code_required: false, recovery_required: null };
const UPGRADE = "/api/admin/maintenance/upgrade";
const RESUME = `${UPGRADE}/resume`;

let scene: Scene;

beforeEach(() => {
  vi.resetModules();
  scene = new Scene();
  scene.answer("GET /api/admin/auth/status", { ...STATUS, authenticated: true, csrf_token: "t" });
  scene.answer("GET /api/admin/console", idle());
  scene.answer("GET /api/setup/releases?flow=upgrade", { builds: [build("v0.3.0", true), build("v0.2.0", true), build("v0.1.0", false)] });
  scene.answer(`POST ${UPGRADE}/validate`, verification("s1"));
});

afterEach(async () => {
  const session = await import("../src/stores/session");
  session.status.value = null;
  vi.unstubAllGlobals();
});

async function openTab() {
  const [session, target, plan, run, acts, console] = await Promise.all([
    import("../src/stores/session"),
    import("../src/stores/upgrade_target"),
    import("../src/stores/upgrade_plan"),
    import("../src/stores/upgrade_run"),
    import("../src/stores/acts"),
    import("../src/stores/console"),
  ]);
  await session.openSession();
  await arrived();
  await target.readTargets();
  return { session, target, plan, run, acts, console };
}

async function planned() {
  const tab = await openTab();
  tab.target.chooseTarget("v0.2.0");
  await arrived();
  scene.answer(`POST ${UPGRADE}/plan`, planOf("p1"));
  await tab.plan.makePlan();
  return tab;
}

function build(system_tag: string, selectable: boolean): Record<string, unknown> {
  return { system_tag, channel: "stable", build_id: system_tag, released_at: "2026-01-01T00:00:00Z", notes: "", recommended: false, selectable, reason: null };
}

function verification(selection_fingerprint: string): Record<string, unknown> {
  return { checks: {}, action_state: { selection_fingerprint, terminal_error: null, busy: false, continue_allowed: true, admin_update_allowed: false } };
}

function planOf(plan_fingerprint: string): Record<string, unknown> {
  const diff = { added: [], removed: [], changed: [], text: "" };
  return {
    target: { tag: "v0.2.0", channel: "stable", revision: "r", build_id: "b" },
    options: {},
    selection_fingerprint: "s1",
    live_revision: plan_fingerprint,
    parts: [],
    interruptions: [],
    space: { needed: 1, free: 2, enough: true },
    migration: { required: true, revision: "m1", changes: [], added_keys: [], diff },
    migration_revision: "m1",
    validation: { ready: true, errors: [] },
    known_good: null,
    steps: [],
    warnings: [],
    plan_fingerprint,
  };
}

function idle(): Record<string, unknown> {
  return { ...consoleModel(null), lifecycle: { owner: "none", state: "idle", fingerprint: "f" }, alignment: { ok: true, active: false, transition: null } };
}

/** The new Admin answers, and offers to go on with the operation. */
function onTheNewAdmin(): Record<string, unknown> {
  const offered = [{ action: "resume", label: "Go on", method: "POST", path: "/api/admin/system-alignment/resume" }];
  const transition = { operation_id: "o1", mode: "guided_upgrade", stage: "admin_reconnect_pending", system_tag: "v0.2.0", worker_active: false };
  const walk = { attempt: 1, outcome: "launched", step: "verified", step_at: null, entries: 1 };
  return {
    ...idle(),
    instance: { admin_instance_id: "i2", system_tag: "v0.2.0", build_id: "b2", revision: "r", started_at: "2026-01-01T00:00:00Z" },
    lifecycle: { owner: "guided_upgrade", state: "active", fingerprint: "f" },
    alignment: { ok: true, active: true, transition: { ...transition, replacement_active: false, replacement: walk, next_actions: offered } },
  };
}

test("another target drops what was verified and planned, with every answer that is still on its way", async () => {
  const { target, plan, acts } = await planned();
  const slow = later<Reply>();
  scene.replies.set(`POST ${UPGRADE}/plan`, () => slow.promise);
  const asking = plan.makePlan();
  target.chooseTarget("v0.3.0");
  expect(plan.plan.value).toBeNull();
  expect(target.verified.value).toBeNull();
  slow.keep({ body: { ok: true, ...planOf("late") } });
  await asking;
  expect(plan.plan.value).toBeNull();
  await arrived();
  expect(target.verified.value).not.toBeNull();
  expect(acts.refusals.value.upgrade).toBeUndefined();
});

test("another option drops them as well, and a late refusal is not shown for the new choice", async () => {
  const { target, plan, acts } = await planned();
  const slow = later<Reply>();
  scene.replies.set(`POST ${UPGRADE}/plan`, () => slow.promise);
  const asking = plan.makePlan();
  target.setOption("backup", false);
  expect(plan.plan.value).toBeNull();
  slow.keep({ status: 409, body: { ok: false, error: "system_build_unavailable", message: "Late.", next_actions: [] } });
  await asking;
  await arrived();
  expect(acts.refusals.value.upgrade).toBeUndefined();
  expect(target.options.value.backup).toBe(false);
});

test("two clicks on a plan and two on the upgrade are one request each", async () => {
  const { plan } = await planned();
  await Promise.all([plan.makePlan(), plan.makePlan()]);
  expect(scene.count(`${UPGRADE}/plan`)).toBe(2);
  scene.answer(`POST ${UPGRADE}/execute`, { id: "j1", operation_id: "o1" });
  await Promise.all([plan.execute(), plan.execute()]);
  expect(scene.count(`${UPGRADE}/execute`)).toBe(1);
  const sent = scene.asked.findLast((request) => request.path === `${UPGRADE}/execute`)?.body;
  expect(sent).toMatchObject({ tag: "v0.2.0", plan_fingerprint: "p1", selection_fingerprint: "s1", migration_revision: "m1", confirm: true });
});

test("a stale plan is made anew once by itself, shows what differs, and is never begun by itself", async () => {
  const { plan, acts } = await planned();
  scene.refuse(`POST ${UPGRADE}/execute`, "upgrade_plan_stale");
  scene.answer(`POST ${UPGRADE}/plan`, planOf("p2"));
  await plan.execute();
  expect(plan.plan.value?.plan_fingerprint).toBe("p2");
  expect(plan.differs.value?.[0]?.what).toBe("Live configuration");
  expect(acts.refusals.value.upgrade).toBeUndefined();
  expect(scene.count(`${UPGRADE}/execute`)).toBe(1);
  await plan.execute();
  expect(scene.count(`${UPGRADE}/plan`)).toBe(2);
  expect(acts.refusals.value.upgrade?.error).toBe("upgrade_plan_stale");
});

test("the tab that has begun it goes on by itself on the new Admin, once", async () => {
  const { plan, console, session } = await planned();
  scene.answer(`POST ${UPGRADE}/execute`, { id: "j1", operation_id: "o1" });
  await plan.execute();
  scene.answer(`POST ${RESUME}`, { id: "j2", operation_id: "o1" });
  scene.answer("GET /api/admin/auth/status", { ...STATUS, admin_instance_id: "i2", authenticated: true, csrf_token: "t" });
  scene.answer("GET /api/admin/console", onTheNewAdmin());
  await session.openSession();
  await console.refresh();
  await arrived();
  await console.refresh();
  await arrived();
  expect(scene.count(RESUME)).toBe(1);
  expect(scene.asked.find((request) => request.path === RESUME)?.body).toEqual({ operation_id: "o1" });
});

test("a tab that has not begun it waits for its operator", async () => {
  const { console, session } = await openTab();
  scene.answer("GET /api/admin/auth/status", { ...STATUS, admin_instance_id: "i2", authenticated: true, csrf_token: "t" });
  scene.answer("GET /api/admin/console", onTheNewAdmin());
  await session.openSession();
  await console.refresh();
  await arrived();
  expect(scene.count(RESUME)).toBe(0);
});
