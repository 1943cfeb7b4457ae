/** The rules of every tab, on the stores as they are in the browser. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KEYS } from "../src/tab/memory";
import { arrived, consoleModel, Scene, workflow } from "./browser";
import { later } from "./stage";

const STATUS = { admin_instance_id: "i1", auth_configured: true, setup_code_required: false, recovery_required: null };

let scene: Scene;

beforeEach(() => {
  vi.resetModules();
  scene = new Scene();
  scene.answer("GET /api/admin/auth/status", { ...STATUS, authenticated: true, csrf_token: "t" });
  scene.answer("GET /api/admin/console", consoleModel(workflow()));
  scene.storage.setItem(KEYS.workflow, JSON.stringify({ workflow_id: "w1", preview_id: null }));
});

afterEach(async () => {
  const session = await import("../src/stores/session");
  session.status.value = null;
  vi.unstubAllGlobals();
});

async function openTab() {
  const [session, console, draft, flow, preview, acts, route] = await Promise.all([
    import("../src/stores/session"),
    import("../src/stores/console"),
    import("../src/stores/draft"),
    import("../src/stores/workflow"),
    import("../src/stores/preview"),
    import("../src/stores/acts"),
    import("../src/tab/route"),
  ]);
  await session.openSession();
  await arrived();
  return { session, console, draft, flow, preview, acts, route };
}

test("a refused restart keeps draft and step, shows its sentence and reads the state again", async () => {
  const { draft, flow, acts } = await openTab();
  draft.addDevice("battery");
  flow.openStep("devices");
  scene.refuse("POST /api/setup/abandon", "setup_operation_in_progress");
  const looksBefore = scene.count("/api/admin/console");
  await flow.restart();
  expect(draft.plans.value.cards).toHaveLength(1);
  expect(flow.step.value).toBe("devices");
  expect(flow.identity.value?.workflow_id).toBe("w1");
  expect(acts.refusals.value.setup?.message).toBe("Because setup_operation_in_progress.");
  expect(scene.count("/api/admin/console")).toBeGreaterThan(looksBefore);
  expect(scene.count("/api/admin/start-path")).toBe(0);
});

test("a restart that nobody answered clears nothing either", async () => {
  const { draft, flow } = await openTab();
  draft.addDevice("battery");
  await flow.restart();
  expect(draft.plans.value.cards).toHaveLength(1);
});

test("an accepted restart forgets the draft and begins under the new workflow", async () => {
  const { draft, flow } = await openTab();
  draft.addDevice("battery");
  scene.answer("POST /api/setup/abandon", {});
  scene.answer("POST /api/admin/start-path", { route: "setup", setup_workflow_id: "w2", setup_intent_id: "n2" });
  scene.answer("GET /api/admin/console", consoleModel(workflow({ workflow_id: "w2", operation_id: null })));
  await flow.restart();
  await arrived();
  expect(draft.plans.value.cards).toHaveLength(0);
  expect(flow.identity.value?.workflow_id).toBe("w2");
  expect(flow.step.value).toBe("release");
  expect(flow.conflict.value).toBeNull();
});

test("a tab whose workflow was replaced says so and lets a late preview neither paint nor open a button", async () => {
  const { draft, flow, preview, console } = await openTab();
  draft.addDevice("battery");
  const slow = later<{ body: Record<string, unknown> }>();
  scene.replies.set("POST /api/setup/config-preview", () => slow.promise);
  preview.reviewAgain();
  scene.answer("GET /api/admin/console", consoleModel(workflow({ workflow_id: "w2", preview: { preview_id: "p1", issued_at: "x" } })));
  await console.refresh();
  expect(flow.conflict.value?.error).toBe("setup_workflow_not_active");
  slow.keep({ body: { ok: true, ready: true, validation: { ready: true, errors: [] }, diff: null, config_preview_id: "p1" } });
  await arrived();
  expect(preview.preview.value).toBeNull();
  expect(preview.authority.value).toBeNull();
});

test("a preview opens Write only once the server's own record names it, and a changed draft closes it again", async () => {
  const { draft, preview } = await openTab();
  draft.addDevice("battery");
  scene.answer("POST /api/setup/config-preview", {
    ready: true,
    validation: { ready: true, errors: [] },
    diff: null,
    config_preview_id: "p1",
  });
  preview.reviewAgain();
  await arrived();
  expect(preview.preview.value?.config_preview_id).toBe("p1");
  expect(preview.authority.value).toBeNull();
  const { refresh } = await import("../src/stores/console");
  scene.answer("GET /api/admin/console", consoleModel(workflow({ preview: { preview_id: "p1", issued_at: "x" } })));
  await refresh();
  expect(preview.authority.value).toBe("p1");
  draft.addDevice("inverter");
  expect(preview.authority.value).toBeNull();
});

test("a stale configuration closes the buttons and raises its own panel", async () => {
  const { preview } = await openTab();
  scene.refuse("POST /api/setup/config/write", "stale_setup_config");
  await preview.commit("write", false);
  expect(preview.configChanged.value?.error).toBe("stale_setup_config");
  expect(preview.authority.value).toBeNull();
});

test("an operation that is under way leaves the workflow open", async () => {
  const { flow, preview } = await openTab();
  scene.refuse("POST /api/setup/config/write", "setup_operation_in_progress");
  await preview.commit("write", false);
  expect(flow.conflict.value).toBeNull();
  expect(flow.identity.value?.workflow_id).toBe("w1");
});

test("the step in the address is the shown one, and the one that is remembered", async () => {
  const { flow, route } = await openTab();
  flow.openStep("devices");
  flow.openStep("config");
  expect(flow.step.value).toBe("config");
  route.go("setup", "devices");
  expect(flow.step.value).toBe("devices");
  expect(scene.storage.getItem(KEYS.step)).toBe('"devices"');
});

test("an address beyond what the server has stored opens nothing", async () => {
  const { flow, route } = await openTab();
  route.go("setup", "start");
  expect(flow.furthest.value).toBe("config");
  expect(flow.step.value).not.toBe("start");
});

test("two clicks on Begin send one request", async () => {
  const { flow } = await openTab();
  scene.answer("POST /api/admin/start-path", { route: "setup", setup_workflow_id: "w1", setup_intent_id: "n1" });
  await Promise.all([flow.openSetup("home"), flow.openSetup("home")]);
  expect(scene.count("/api/admin/start-path")).toBe(1);
});

test("a reload keeps the id of an unfinished cleanup, and the retry names it", async () => {
  const pending = { state: "pending", failed_count: 1, review_count: 0, artifacts: [] };
  scene.answer("GET /api/admin/console", consoleModel(workflow({ status: "abandoned", cleanup: pending })));
  const { flow } = await openTab();
  expect(flow.relation.value).toBe("same");
  expect(flow.conflict.value).toBeNull();
  scene.refuse("POST /api/setup/abandon", "abandon_cleanup_incomplete");
  const { retryCleanup } = await import("../src/stores/cleanup");
  await retryCleanup("w1");
  expect(scene.asked.findLast((request) => request.path === "/api/setup/abandon")?.body).toEqual({ setup_workflow_id: "w1" });
  expect(flow.identity.value?.workflow_id).toBe("w1");
});

test("another Admin drops what was previewed from the one before, and the draft stays", async () => {
  const { draft, preview, session } = await openTab();
  draft.addDevice("battery");
  scene.answer("POST /api/setup/config-preview", { ready: true, validation: { ready: true, errors: [] }, diff: null, config_preview_id: "p1" });
  preview.reviewAgain();
  await arrived();
  expect(preview.preview.value).not.toBeNull();
  scene.answer("GET /api/admin/auth/status", { ...STATUS, admin_instance_id: "i2", authenticated: false });
  await session.openSession();
  expect(preview.preview.value).toBeNull();
  expect(draft.plans.value.cards).toHaveLength(1);
  expect(session.wasSignedIn.value).toBe(true);
});

test("the password of a broker is not left in the browser's storage", async () => {
  const { draft } = await openTab();
  draft.changeBroker({ ref: "b", host: "10.0.0.2", port: 1883, tls: false, username: "u", password: "hush" });
  expect(draft.draft.value.mqtt_broker).toMatchObject({ password: "hush" });
  expect([...scene.storage.kept.values()].join()).not.toContain("hush");
});
