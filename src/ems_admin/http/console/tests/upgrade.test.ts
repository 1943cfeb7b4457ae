/** What can be said about an upgrade without a screen: where it stands, its steps, what a plan says otherwise. */

import { expect, test } from "vitest";
import type { ConsoleOwner, GuidedUpgradeState, WorkflowLifecycleState } from "../src/generated/machines";
import type { Job, Transition } from "../src/server/shapes";
import type { UpgradePlan } from "../src/server/upgrade_shapes";
import type { StepStanding, UpgradeStepView } from "../src/server/upgrade_view";
import { differencesOf } from "../src/upgrade/differences";
import { examined } from "../src/upgrade/examined";
import { goesOnByItself } from "../src/upgrade/going_on";
import { outcomeOf } from "../src/upgrade/outcome";
import { phaseOf, placeOf } from "../src/upgrade/phase";
import { shownSteps } from "../src/upgrade/steps";
import { changeWords, sizeWords, whyNot } from "../src/upgrade/words";

const at = (owner: ConsoleOwner, state: WorkflowLifecycleState = "active", upgrade: GuidedUpgradeState = "planned", anew = false) =>
  phaseOf({ owner, state, upgrade, anew });

test("who owns the console says what the screen is", () => {
  expect(at("none", "idle")).toBe("choice");
  expect(at("guided_setup")).toBe("setup_first");
  expect(at("guided_setup", "review_required")).toBe("cleanup_first");
  expect(at("guided_setup", "cleanup_pending")).toBe("cleanup_first");
  expect(at("align_existing_install")).toBe("admin_alone");
  expect(at("guided_upgrade", "active", "aligning")).toBe("under_way");
  expect(at("guided_upgrade", "active", "failed_recoverable")).toBe("failed");
  expect(at("guided_upgrade", "active", "failed_recoverable", true)).toBe("choice");
  expect(at("conflict", "conflict")).toBe("undecided");
  expect(at("unknown", "malformed")).toBe("undecided");
});

test("the picture of the way stands at the place that the server has stored", () => {
  expect(placeOf("choice", { plan: false, result: false })).toBe("build");
  expect(placeOf("choice", { plan: true, result: false })).toBe("plan");
  expect(placeOf("choice", { plan: true, result: true })).toBe("result");
  expect(placeOf("under_way", { plan: true, result: false })).toBe("upgrade");
  expect(placeOf("failed", { plan: false, result: false })).toBe("result");
});

const NAMES = ["backup", "admin", "pull", "recreate_ems"];

function stored(...standings: StepStanding[]): UpgradeStepView[] {
  return standings.map((standing, index) => ({ key: NAMES[index] ?? "", label: NAMES[index] ?? "", standing }));
}

function job(change: Partial<Job>): Job {
  return { ...NO_JOB, ...change };
}

const NO_JOB: Job = {
  id: "j1",
  kind: "guided_upgrade",
  operation_id: "o1",
  workflow_id: null,
  status: "running",
  steps: [],
  reconnect: false,
  error: null,
  result: null,
  log: [],
  started_at: "2026-01-01T00:00:00Z",
  finished_at: null,
};

const signs = (...given: Parameters<typeof shownSteps>) => shownSteps(...given).map((step) => step.sign);

test("the records give the steps; while nobody works the next one waits", () => {
  const steps = stored("settled", "next", "open", "open");
  expect(signs(steps, { job: null, working: false, failedAt: null })).toEqual(["done", "waiting", "waiting", "waiting"]);
  expect(signs(steps, { job: null, working: true, failedAt: null })).toEqual(["done", "running", "waiting", "waiting"]);
  expect(signs(steps, { job: null, working: false, failedAt: "resources_verified" })).toEqual(["done", "failed", "waiting", "waiting"]);
});

test("work that goes on knows better than the records, and one step at a time is under way", () => {
  const running = job({ steps: [{ key: "pull", label: "Pull", status: "running", detail: "1 of 2", percent: 50 }] });
  const shown = shownSteps(stored("settled", "next", "open", "open"), { job: running, working: true, failedAt: null });
  expect(shown.map((step) => step.sign)).toEqual(["done", "done", "running", "waiting"]);
  expect(shown[2]).toMatchObject({ percent: 50, detail: "1 of 2" });
});

test("what an ended job has done and a failure has undone is open again by the records", () => {
  const ended = job({ status: "failed", steps: [{ key: "pull", label: "Pull", status: "succeeded", detail: null, percent: null }] });
  expect(signs(stored("settled", "settled", "next", "open"), { job: ended, working: false, failedAt: "resources_verified" })).toEqual(["done", "done", "failed", "waiting"]);
  expect(signs(stored("settled", "settled", "next", "open"), { job: ended, working: false, failedAt: "ems_operation_running" })).toEqual(["done", "done", "waiting", "failed"]);
});

const version = (system_tag: string | null) => ({ system_tag, build_id: `b${system_tag}`, digest: "d" });

const PLAN: UpgradePlan = {
  target: { tag: "v0.2.0", channel: "stable", revision: "r", build_id: "b" },
  options: { backup: true, auto_rollback: true, config_check: true, config_add_keys: true, pull_image: true, recreate: true, diagnostics: true },
  selection_fingerprint: "s1",
  live_revision: "r1",
  parts: [{ kind: "admin", name: "admin", before: version("v0.1.0"), after: version("v0.2.0"), effect: "replaced" }],
  interruptions: [{ kind: "admin", name: "admin" }],
  space: { needed: 100, free: 1000, enough: true },
  migration: { required: false, revision: null, changes: [], added_keys: [], diff: { added: [], removed: [], changed: [], text: "" } },
  migration_revision: null,
  validation: { ready: true, errors: [] },
  known_good: { system_tag: "v0.1.0", build_id: "b" },
  steps: [],
  warnings: [],
  plan_fingerprint: "p1",
};

test("a plan that was made anew says what is otherwise, and where nothing shows, what its fingerprint covers", () => {
  expect(differencesOf(PLAN, { ...PLAN, known_good: null })).toEqual([{ what: "Way back", before: "v0.1.0", after: "none" }]);
  expect(differencesOf(PLAN, { ...PLAN, parts: [] })[0]).toMatchObject({ what: "EMS Admin", after: "not touched" });
  expect(differencesOf(PLAN, { ...PLAN, live_revision: "r2" })[0]?.what).toBe("Live configuration");
  expect(differencesOf(PLAN, { ...PLAN, selection_fingerprint: "s2" })[0]?.what).toBe("Details of the build");
});

test("an upgrade goes on by its own request, everything else by what the server names, and nothing by itself without an offer", () => {
  const offered = [{ action: "resume", label: "", method: "POST", path: "/api/admin/system-alignment/resume" }];
  const operation = { operation_id: "o", mode: "guided_upgrade", stage: "admin_reconnect_pending", system_tag: "", build_id: "", updated_at: "", expires_at: "" } as const;
  expect(goesOnByItself({ ...operation, next_actions: offered })).toBe("/api/admin/maintenance/upgrade/resume");
  expect(goesOnByItself({ ...operation, mode: "align_existing_install", next_actions: offered })).toBe("/api/admin/system-alignment/resume");
  expect(goesOnByItself({ ...operation, next_actions: [] })).toBeNull();
  expect(goesOnByItself({ ...operation, stage: "failed_recoverable", next_actions: offered })).toBeNull();
  expect(goesOnByItself({ ...operation, stage: "resources_verified", next_actions: offered })).toBeNull();
  expect(goesOnByItself({ ...operation, mode: "align_existing_install", stage: "resources_verified", next_actions: offered })).not.toBeNull();
});

test("that the known-good build runs again is said when it is seen to run by its digest, and not otherwise", () => {
  const failed = (failed_stage: Transition["stage"]) =>
    ({ operation_id: "o", mode: "guided_upgrade", stage: "failed_recoverable", failed_stage, system_tag: "v0.3.0", build_id: "", updated_at: "", expires_at: "" }) as const;
  const seen = (digest: string | null) =>
    ({ known_good: { system_tag: "v0.1.0", ems_digest: "good" }, deployment: { services: [{ service: "ems", state: "running", digest }] } }) as unknown as Parameters<typeof outcomeOf>[1];
  expect(outcomeOf(failed("healthcheck_pending"), seen("good")).headline).toBe("Your EMS runs v0.1.0 again");
  expect(outcomeOf(failed("healthcheck_pending"), seen("other")).headline).toContain("did not succeed");
  expect(outcomeOf(failed("healthcheck_pending"), seen(null)).sentence).not.toContain("v0.1.0");
  expect(outcomeOf(failed("admin_update_pending"), seen("good")).sentence).toContain("not touched");
});

test("what is said of the upgrade itself while it was open is left out of what was found at its end", () => {
  const result = {
    checks: [
      { key: "operation", status: "warning", message: "" },
      { key: "disk", status: "ok", message: "" },
    ],
    summary: { status: "warning", ok: 1, warning: 1, failed: 0, unavailable: 0 },
  };
  const found = examined(job({ status: "succeeded", result }));
  expect(found?.checks.map((check) => check.key)).toEqual(["disk"]);
  expect(found?.summary).toMatchObject({ status: "ok", ok: 1, warning: 0 });
  expect(examined(job({ status: "succeeded" }))).toBeNull();
  expect(examined(job({ status: "failed", result }))).toBeNull();
});

test("both ends of a change are named by the same kind of name", () => {
  const seen = { before: { ...version("v1"), system_tag: null }, after: version("v2") };
  expect(changeWords({ before: version("v1"), after: version("v2") }, [])).toEqual({ from: "v1", to: "v2" });
  expect(changeWords(seen, [seen])).toEqual({ from: "bv1", to: "bv2" });
  expect(changeWords(seen, [{ before: version("v1"), after: null }])).toEqual({ from: "v1", to: "v2" });
  expect(changeWords({ before: null, after: version("v2") }, [])).toEqual({ from: "nothing", to: "v2" });
});

test("sizes and reasons are words", () => {
  expect(sizeWords(0)).toBe("none");
  expect(sizeWords(3 * 1024 * 1024)).toBe("3 MiB");
  expect(sizeWords(3 * 1024 ** 3)).toBe("3.0 GiB");
  expect(whyNot("upgrade_not_forward", "v1", "v1")).toContain("installed");
  expect(whyNot("upgrade_not_forward", "v0", "v1")).toContain("not newer");
});
