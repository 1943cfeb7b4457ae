/** Switch and recovery: done only against what was shown, and looked at again by itself once. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KEYS } from "../src/tab/memory";
import { arrived, consoleModel, Scene, workflow } from "./browser";
import { later } from "./stage";

const STATUS = { admin_instance_id: "i1", auth_configured: true, setup_code_required: false, recovery_required: null };
const LIFECYCLE = "/api/admin/workflow-lifecycle";

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
  const [session, draft, flow, acts, route, switching, recovery, console] = await Promise.all([
    import("../src/stores/session"),
    import("../src/stores/draft"),
    import("../src/stores/workflow"),
    import("../src/stores/acts"),
    import("../src/tab/route"),
    import("../src/stores/switching"),
    import("../src/stores/recovery"),
    import("../src/stores/console"),
  ]);
  await session.openSession();
  await arrived();
  return { session, draft, flow, acts, route, switching, recovery, console };
}

function switchPreview(fingerprint: string): Record<string, unknown> {
  return { target: "none", action: "discard_guided_setup", blocked: false, blocking_reason: null, will_reset: ["setup_draft"], will_preserve: [], fingerprint };
}

function recoveryPreview(fingerprint: string): Record<string, unknown> {
  return {
    safe: { available: true, actions: ["setup_cleanup"], confirmation_required: true },
    release: { available: false, files: [] },
    will_preserve: [],
    fingerprint,
  };
}

test("a switch that ends the setup forgets its draft after the yes, and not before", async () => {
  const { draft, flow, switching } = await openTab();
  draft.addDevice("battery");
  scene.answer(`POST ${LIFECYCLE}/switch/preview`, switchPreview("f1"));
  await switching.askSwitch("recovery", "none");
  scene.refuse(`POST ${LIFECYCLE}/switch`, "workflow_operation_in_progress");
  await switching.confirmSwitch();
  expect(draft.plans.value.cards).toHaveLength(1);
  scene.answer(`POST ${LIFECYCLE}/switch`, { action: "discard_guided_setup" });
  scene.answer("GET /api/admin/console", consoleModel(null));
  await switching.confirmSwitch();
  expect(scene.asked.findLast((request) => request.path === `${LIFECYCLE}/switch`)?.body).toEqual({ target: "none", confirm: true, fingerprint: "f1" });
  expect(draft.plans.value.cards).toHaveLength(0);
  expect(flow.identity.value).toBeNull();
  expect(switching.switching.value).toBeNull();
});

test("a stale switch is looked at again once by itself, and is not done by itself", async () => {
  const { switching } = await openTab();
  scene.answer(`POST ${LIFECYCLE}/switch/preview`, switchPreview("f1"));
  await switching.askSwitch("recovery", "none");
  scene.refuse(`POST ${LIFECYCLE}/switch`, "workflow_lifecycle_changed");
  scene.answer(`POST ${LIFECYCLE}/switch/preview`, switchPreview("f2"));
  await switching.confirmSwitch();
  expect(switching.switching.value).toMatchObject({ changed: true, preview: { fingerprint: "f2" } });
  expect(scene.count(`${LIFECYCLE}/switch`)).toBe(1);
  await switching.confirmSwitch();
  expect(scene.count(`${LIFECYCLE}/switch/preview`)).toBe(2);
});

test("a setup that may not begin asks about the switch that the refusal brought along", async () => {
  const { flow, switching, acts } = await openTab();
  scene.replies.set("POST /api/admin/start-path", () => ({
    status: 409,
    body: { ok: false, error: "workflow_switch_required", message: "Because.", next_actions: [], switch_preview: switchPreview("f7") },
  }));
  await flow.openSetup("home");
  expect(switching.switching.value?.preview.fingerprint).toBe("f7");
  expect(acts.refusals.value.home).toBeUndefined();
});

test("a stale recovery is looked at again once, and the one that is done names its fingerprint", async () => {
  const { recovery, acts } = await openTab();
  scene.answer(`POST ${LIFECYCLE}/recovery/preview`, recoveryPreview("f1"));
  await recovery.readRecovery();
  recovery.askRecovery("safe");
  scene.refuse(`POST ${LIFECYCLE}/recovery`, "workflow_lifecycle_changed");
  scene.answer(`POST ${LIFECYCLE}/recovery/preview`, recoveryPreview("f2"));
  await recovery.recover();
  expect(recovery.asked.value).toMatchObject({ changed: true, preview: { fingerprint: "f2" } });
  expect(acts.refusals.value["recovery-dialog"]).toBeUndefined();
  scene.answer(`POST ${LIFECYCLE}/recovery`, { actions: ["setup_cleanup"] });
  await recovery.recover();
  expect(scene.asked.findLast((request) => request.path === `${LIFECYCLE}/recovery`)?.body).toEqual({ mode: "safe", confirm: true, fingerprint: "f2" });
  expect(recovery.asked.value).toBeNull();
});

test("an older tab looks no more while its setup is on the screen, ends nothing, and looks again once it has decided", async () => {
  const { flow, route, console } = await openTab();
  flow.openStep("release");
  scene.answer("GET /api/admin/console", consoleModel(workflow({ workflow_id: "w2" })));
  await console.refresh();
  expect(flow.conflict.value).not.toBeNull();
  expect(console.standsStill.value).toBe(true);
  expect(await flow.abandon("setup")).toBe(false);
  expect(scene.count("/api/setup/abandon")).toBe(0);
  route.go("home");
  expect(console.standsStill.value).toBe(false);
  route.go("setup");
  await flow.openCurrentSetup();
  expect(flow.conflict.value).toBeNull();
  expect(console.standsStill.value).toBe(false);
});

test("a return to the running build is never sent for a setup", async () => {
  await openTab();
  const { returnToRunningBuild } = await import("../src/stores/operation");
  const alignment = { operation_id: "o1", mode: "fresh_install", stage: "failed_recoverable", return_available: true };
  scene.answer("GET /api/admin/console", { ...consoleModel(workflow()), alignment: { ok: true, active: true, transition: alignment } });
  const { refresh } = await import("../src/stores/console");
  await refresh();
  await returnToRunningBuild("recovery", "o1");
  expect(scene.count("/api/admin/system-alignment/return-to-running-build")).toBe(0);
});

test("a look that sees the new workflow before the act that begins it is answered makes this tab no older one", async () => {
  const { flow, console } = await openTab();
  const { changeBuild } = await import("../src/stores/builds");
  const slow = later<{ body: Record<string, unknown> }>();
  scene.replies.set("POST /api/setup/system-build/supersede", () => slow.promise);
  const changing = changeBuild("v2.0.0");
  scene.answer("GET /api/admin/console", consoleModel(workflow({ workflow_id: "w2", operation_id: null })));
  await console.refresh();
  expect(flow.relation.value).toBe("replaced");
  expect(flow.conflict.value).toBeNull();
  slow.keep({ body: { ok: true, setup_workflow_id: "w2", setup_intent_id: "n2" } });
  await changing;
  expect(flow.identity.value?.workflow_id).toBe("w2");
  expect(flow.conflict.value).toBeNull();
});

test("a refused change of the build leaves a workflow of somebody else as a conflict", async () => {
  const { flow, console } = await openTab();
  const { changeBuild } = await import("../src/stores/builds");
  const slow = later<{ status: number; body: Record<string, unknown> }>();
  scene.replies.set("POST /api/setup/system-build/supersede", () => slow.promise);
  const changing = changeBuild("v2.0.0");
  scene.answer("GET /api/admin/console", consoleModel(workflow({ workflow_id: "w9" })));
  await console.refresh();
  slow.keep({ status: 409, body: { ok: false, error: "system_build_unavailable", message: "Because.", next_actions: [] } });
  await changing;
  expect(flow.conflict.value).not.toBeNull();
});

test("an act that is answered before the next look makes this tab no older one either", async () => {
  const { flow, console } = await openTab();
  const { changeBuild } = await import("../src/stores/builds");
  scene.answer("POST /api/setup/system-build/supersede", { setup_workflow_id: "w2", setup_intent_id: "n2" });
  const slow = later<{ body: Record<string, unknown> }>();
  scene.replies.set("GET /api/admin/console", () => slow.promise);
  const changing = changeBuild("v2.0.0");
  await arrived();
  expect(flow.identity.value?.workflow_id).toBe("w2");
  expect(console.model.value?.setup?.workflow_id).toBe("w1");
  expect(flow.conflict.value).toBeNull();
  slow.keep({ body: { ok: true, ...consoleModel(workflow({ workflow_id: "w2", operation_id: null })) } });
  await changing;
  expect(flow.conflict.value).toBeNull();
});
