/** The config editor's promises, on the stores as they are in the browser: nothing typed is lost, nothing newer is overwritten. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { arrived, consoleModel, Scene } from "./browser";
import { later, settled } from "./stage";

const STATUS = { admin_instance_id: "i1", auth_configured: true, setup_code_required: false, recovery_required: null };
const CONFIG = "/api/admin/maintenance/config";
const DIFF = { added: [], removed: [], changed: [], text: "" };
const config = (deadband: number) => ({ system: { deadband, dry_run: false } });
const revised = (revision: string) => ({ validation: { ready: true, errors: [] }, changed: true, diff: DIFF, revision });

let scene: Scene;

beforeEach(() => {
  vi.resetModules();
  scene = new Scene();
  scene.answer("GET /api/admin/auth/status", { ...STATUS, authenticated: true, csrf_token: "t" });
  scene.answer("GET /api/admin/console", consoleModel(null));
  scene.answer(`GET ${CONFIG}`, { config: config(25), revision: "r1" });
  scene.answer(`GET ${CONFIG}/schema`, { schema: {}, form: [] });
  scene.answer(`POST ${CONFIG}/preview`, revised("r1"));
});

afterEach(async () => {
  const session = await import("../src/stores/session");
  session.status.value = null;
  vi.unstubAllGlobals();
});

async function openEditor() {
  const [session, editor, history] = await Promise.all([import("../src/stores/session"), import("../src/stores/editor"), import("../src/stores/history")]);
  await session.openSession();
  await editor.readEditor();
  await arrived();
  return { session, editor, history };
}

const sent = (path: string) => scene.asked.filter((request) => request.path === path).map((request) => request.body);

test("an edit that is taken back is no edit, and a number that is still being typed is none", async () => {
  const { editor } = await openEditor();
  editor.change("/system/deadband", 40);
  expect(editor.edited.value).toBe(true);
  editor.change("/system/deadband", 25);
  expect(editor.edited.value).toBe(false);
  expect(editor.shown.value).toEqual(config(25));
});

test("text that is no document yet is kept as it was typed, and form and text say the same once it is", async () => {
  const { editor } = await openEditor();
  editor.typeText('{"system": {');
  expect([editor.text.value, editor.textFault.value === null]).toEqual(['{"system": {', false]);
  editor.typeText(JSON.stringify(config(7)));
  expect([editor.valueAt("/system/deadband"), editor.textFault.value]).toEqual([7, null]);
});

test("two clicks are one save, made over the revision that the edit was begun from", async () => {
  const { editor } = await openEditor();
  editor.change("/system/deadband", 40);
  const reply = later<{ body: Record<string, unknown> }>();
  scene.replies.set(`POST ${CONFIG}/apply`, () => reply.promise);
  const clicks = [editor.save(true), editor.save(true)];
  await settled();
  reply.keep({ body: { ok: true, changed: true, revision: "r2", backup: "b", runtime_sync: "synced" } });
  await Promise.all(clicks);
  expect(sent(`${CONFIG}/apply`)).toEqual([{ draft: config(40), revision: "r1", confirm: true, backup: true }]);
  expect([editor.edited.value, editor.saved.value?.revision]).toEqual([false, "r2"]);
});

test("an edit that came too late is merged by the server and goes on from the live revision that it was compared with", async () => {
  const { editor } = await openEditor();
  editor.change("/system/deadband", 40);
  const ways = { fields: [{ pointer: "/system/deadband", standing: "conflict", baseline: 25, live: 55, mine: 40 }], conflicts: ["/system/deadband"] };
  scene.replies.set(`POST ${CONFIG}/apply`, () => ({
    status: 409,
    body: { ok: false, error: "conflict", message: "Changed.", next_actions: [], revision: "r2", baseline_revision: "r1", diff: DIFF, three_ways: ways },
  }));
  expect(await editor.save(false)).toBe(false);
  expect([editor.stale.value?.three_ways, editor.valueAt("/system/deadband")]).toEqual([ways, 40]);

  scene.answer(`POST ${CONFIG}/merge`, { draft: config(40), revision: "r2", undecided: [], three_ways: ways });
  scene.answer(`GET ${CONFIG}`, { config: config(55), revision: "r3" });
  expect(await editor.decide({ "/system/deadband": "mine" })).toBe(true);
  expect(sent(`${CONFIG}/merge`)).toEqual([{ draft: config(40), baseline_revision: "r1", choices: { "/system/deadband": "mine" } }]);
  scene.answer(`POST ${CONFIG}/apply`, { changed: true, revision: "r4", backup: null, runtime_sync: null });
  await editor.save(false);
  // Not r3, which nobody has seen: the server is to refuse once more.
  expect(sent(`${CONFIG}/apply`)[1]?.["revision"]).toBe("r2");
});

test("what has changed once more while it was decided is asked about again", async () => {
  const { editor } = await openEditor();
  editor.change("/system/deadband", 40);
  scene.refuse(`POST ${CONFIG}/apply`, "conflict");
  await editor.save(false);
  const ways = { fields: [], conflicts: ["/system/dry_run"] };
  scene.answer(`POST ${CONFIG}/merge`, { draft: config(40), revision: "r3", undecided: ["/system/dry_run"], three_ways: ways });
  expect(await editor.decide({})).toBe(false);
  expect([editor.stale.value?.revision, editor.stale.value?.three_ways, editor.valueAt("/system/deadband")]).toEqual(["r3", ways, 40]);
});

test("a lost session and another Admin leave the edit as it is", async () => {
  const { editor, session } = await openEditor();
  editor.change("/system/deadband", 40);
  scene.refuse(`POST ${CONFIG}/apply`, "not_authenticated");
  scene.answer("GET /api/admin/auth/status", { ...STATUS, admin_instance_id: "i2", authenticated: false });
  expect(await editor.save(true)).toBe(false);
  await arrived();
  expect(session.signedIn.value).toBe(false);
  expect([editor.draft.value, editor.live.value?.revision]).toEqual([config(40), "r1"]);
});

test("a prepared return takes the place of the edit and writes nothing", async () => {
  const { editor, history } = await openEditor();
  scene.answer(`POST ${CONFIG}/prepare-return`, { draft: config(90), ...revised("r1") });
  expect(await history.prepareReturn("r0")).toBe(true);
  expect(editor.draft.value).toEqual(config(90));
  expect(scene.count(`${CONFIG}/apply`)).toBe(0);
});
