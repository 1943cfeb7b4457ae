import { expect, test } from "vitest";
import { Client } from "../src/server/client";

interface Sent {
  path: string;
  init: RequestInit;
}

function client(answer: () => Response | Promise<Response>, token: string | null = "t1") {
  const sent: Sent[] = [];
  const told: string[] = [];
  const made = new Client({
    fetch: (async (path: string, init: RequestInit) => {
      sent.push({ path, init });
      return answer();
    }) as typeof fetch,
    csrfToken: () => token,
    sessionLost: () => told.push("session lost"),
    unreachable: () => told.push("unreachable"),
  });
  return { made, sent, told };
}

const json = (value: unknown, status = 200) => () => new Response(JSON.stringify(value), { status });

test("a mutation carries the token of the session, a question does not", async () => {
  const { made, sent } = client(json({ ok: true }));
  await made.post("/api/setup/abandon", { setup_workflow_id: "w" });
  await made.get("/api/admin/console");
  expect(new Headers(sent[0]?.init.headers).get("X-CSRF-Token")).toBe("t1");
  expect(sent[0]?.init.body).toBe('{"setup_workflow_id":"w"}');
  expect(new Headers(sent[1]?.init.headers).has("X-CSRF-Token")).toBe(false);
  expect(sent[1]?.init.body).toBeUndefined();
});

test("a refusal keeps its code, its sentence and its next actions", async () => {
  const actions = [{ action: "wait", label: "Wait", method: "GET", path: "/api/admin/console" }];
  const { made } = client(json({ ok: false, error: "work_in_progress", message: "Busy.", next_actions: actions }, 409));
  expect(await made.post("/x")).toEqual({ ok: false, error: "work_in_progress", message: "Busy.", next_actions: actions });
});

test("a refusal without a sentence still has one", async () => {
  const { made } = client(json({ ok: false }, 500));
  expect(await made.get("/x")).toMatchObject({ ok: false, error: "internal_error", next_actions: [] });
});

test.each([
  ["a cut line", () => Promise.reject(new TypeError("network"))],
  ["a page of a proxy", () => new Response("<html>bad gateway</html>", { status: 502 })],
  ["half an answer", () => new Response('{"ok": tr')],
  ["an answer of something else", json(["not", "ours"])],
])("%s is not a no", async (_name, answer) => {
  const { made, told } = client(answer);
  expect(await made.get("/x")).toEqual({ ok: null });
  expect(told).toEqual(["unreachable"]);
});

test("a session that the server does not know is told once and for all", async () => {
  const { made, told } = client(json({ ok: false, error: "not_authenticated", message: "Sign in.", next_actions: [] }, 401));
  await made.get("/x");
  expect(told).toEqual(["session lost"]);
});

test("a file arrives as a file, its refusal as a refusal", async () => {
  const given = await client(() => new Response("{}")).made.file("/x", {});
  expect(given.ok === true && (await given.file.text())).toBe("{}");
  const refused = await client(json({ ok: false, error: "release_not_prepared", message: "Not yet.", next_actions: [] }, 409)).made.file("/x", {});
  expect(refused).toMatchObject({ ok: false, error: "release_not_prepared" });
});
