/** A container in the way, on the stores as they are in the browser; and where a dashboard is reached. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reachedFrom } from "../src/tab/reach";
import { stepWords } from "../src/operation/replacing";
import { KEYS } from "../src/tab/memory";
import { arrived, consoleModel, Scene, workflow } from "./browser";

const STATUS = { admin_instance_id: "i1", auth_configured: true, setup_code_required: false, recovery_required: null };
const RESOLVE = "POST /api/setup/deployment/resolve-container-conflict";
const START = "/api/setup/deployment/start";
const CONFLICT = { container_name: "ems", container_id: "c1", image: "old", status: "exited", selected_image: "new", actions: [] };

let scene: Scene;

beforeEach(() => {
  vi.resetModules();
  scene = new Scene();
  scene.answer("GET /api/admin/auth/status", { ...STATUS, authenticated: true, csrf_token: "t" });
  scene.answer("GET /api/admin/console", consoleModel(workflow()));
  scene.answer(`POST ${START}`, { id: "j1" });
  scene.storage.setItem(KEYS.workflow, JSON.stringify({ workflow_id: "w1", preview_id: null }));
});

afterEach(async () => {
  const session = await import("../src/stores/session");
  session.status.value = null;
  vi.unstubAllGlobals();
});

async function openTab() {
  const [session, console, deployment, acts] = await Promise.all([
    import("../src/stores/session"),
    import("../src/stores/console"),
    import("../src/stores/deployment"),
    import("../src/stores/acts"),
  ]);
  await session.openSession();
  await arrived();
  return { console, deployment, acts };
}

test("once nothing is in the way any more the start goes on by itself", async () => {
  const { deployment } = await openTab();
  scene.answer(RESOLVE, { removed: true, replaced: false, conflict: null, continue: true });
  await deployment.resolveContainerConflict("ems", "remove_stopped_and_continue");
  const asked = scene.asked.filter((request) => request.method === "POST");
  expect(asked.map((request) => request.path)).toEqual([RESOLVE.slice(5), START]);
  expect(asked[0]?.body).toEqual({ setup_workflow_id: "w1", container_name: "ems", action: "remove_stopped_and_continue" });
});

test("while another one is in the way nothing is started", async () => {
  const { deployment } = await openTab();
  scene.answer(RESOLVE, { removed: true, replaced: false, conflict: CONFLICT, continue: false });
  await deployment.resolveContainerConflict("ems", "remove_stopped_and_continue");
  expect(scene.count(START)).toBe(0);
});

test.each(["container_conflict_changed", "own_container_protected", "container_not_stopped"])(
  "refused as %s, it shows the sentence beside what is there now, and starts nothing",
  async (code) => {
    const { console, deployment, acts } = await openTab();
    scene.refuse(RESOLVE, code);
    const now = consoleModel(workflow());
    scene.answer("GET /api/admin/console", { ...now, deployment: { ...(now.deployment as object), conflict: { ...CONFLICT, container_id: "c2" } } });
    await deployment.resolveContainerConflict("ems", "replace_running_and_continue");
    expect(acts.refusals.value.start?.error).toBe(code);
    expect(console.model.value?.deployment.conflict?.container_id).toBe("c2");
    expect(scene.count(START)).toBe(0);
  },
);

test.each([
  ["http://127.0.0.1:8080/", "192.168.1.5", "http://192.168.1.5:8080/"],
  ["http://localhost:8080", "nas.local", "http://nas.local:8080"],
  ["http://[::1]:8080/a?b=c", "192.168.1.5", "http://192.168.1.5:8080/a?b=c"],
  ["http://0.0.0.0:8080/", "[fd00::5]", "http://[fd00::5]:8080/"],
  ["http://127.0.0.1:8080/", "localhost", "http://127.0.0.1:8080/"],
  ["http://192.168.1.9:8080/", "192.168.1.5", "http://192.168.1.9:8080/"],
  ["not an address", "192.168.1.5", "not an address"],
])("%s is opened from %s as %s", (address, host, reached) => {
  expect(reachedFrom(address, host)).toBe(reached);
});

test("a walk that came back ends in other words than one that arrived", () => {
  expect(stepWords("ended")).toBe("The replacement is done");
  expect(stepWords("ended", true)).toBe("The old EMS Admin is back");
});
