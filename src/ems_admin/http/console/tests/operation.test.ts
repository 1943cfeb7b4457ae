/** What the panels of an unfinished operation may offer, and when the page waits for another Admin. */

import { expect, test } from "vitest";
import { isBeingReplaced } from "../src/operation/replacing";
import { mayReturn, NO_WAYS, waysOut } from "../src/operation/ways_out";
import type { NextAction, Transition, TransitionFacts } from "../src/server/shapes";
import { releaseAct, type Choice } from "../src/setup/release_act";
import type { Verification } from "../src/server/setup_shapes";

const action = (name: string, path: string): NextAction => ({ action: name, label: name, method: "POST", path });
const RESUME = action("resume", "/api/admin/system-alignment/resume");
/** An upgrade goes on by the resume that does all the rest. */
const OWN_RESUME = { ...RESUME, path: "/api/admin/maintenance/upgrade/resume" };
const ABANDON = action("abandon", "/api/setup/abandon");
const CANCEL = action("cancel", "/api/admin/system-alignment/cancel");

function operation(change: Partial<Transition & TransitionFacts> = {}): Transition & TransitionFacts {
  return {
    operation_id: "o1",
    mode: "fresh_install",
    stage: "failed_recoverable",
    system_tag: "v1.0.0",
    build_id: "b",
    updated_at: "",
    expires_at: "",
    cancel_available: true,
    return_available: false,
    next_actions: [RESUME, ABANDON],
    ...change,
  };
}

test("a setup can be resumed or discarded, and nothing else, whatever an old answer claims", () => {
  const ways = waysOut("guided_setup", operation({ return_available: true }));
  expect(ways).toEqual({ forward: [RESUME], discardSetup: true, cancel: false, returnToRunning: false });
  expect(mayReturn(operation({ return_available: true }))).toBe(false);
});

test("an upgrade can be resumed, cancelled, or left for the running build", () => {
  const upgrade = operation({ mode: "guided_upgrade", return_available: true, next_actions: [RESUME, CANCEL] });
  expect(waysOut("guided_upgrade", upgrade)).toEqual({ forward: [OWN_RESUME], discardSetup: false, cancel: true, returnToRunning: true });
});

test("what the server does not offer has no button", () => {
  const upgrade = operation({ mode: "guided_upgrade", cancel_available: false, next_actions: [RESUME, CANCEL] });
  expect(waysOut("guided_upgrade", upgrade)).toEqual({ forward: [OWN_RESUME], discardSetup: false, cancel: false, returnToRunning: false });
});

test.each(["unknown", "conflict", "none"] as const)("an owner that is %s gives no action at all", (owner) => {
  expect(waysOut(owner, operation({ return_available: true, mode: "guided_upgrade", next_actions: [RESUME, ABANDON, CANCEL] }))).toEqual(NO_WAYS);
});

const walk = (step: "moving" | "verified") => ({ attempt: 1, outcome: "launched", step, step_at: "", entries: 1 });

test("the page waits for another Admin until the new one is there to stay", () => {
  const reconnect = operation({ stage: "admin_reconnect_pending", next_actions: [] });
  expect(isBeingReplaced(reconnect)).toBe(true);
  const onTarget = { ...reconnect, next_actions: [RESUME] };
  expect(isBeingReplaced({ ...onTarget, replacement: walk("moving"), replacement_active: true })).toBe(true);
  expect(isBeingReplaced({ ...onTarget, replacement: walk("verified"), replacement_active: true })).toBe(false);
  expect(isBeingReplaced({ ...onTarget, replacement: walk("moving"), replacement_active: false })).toBe(false);
  expect(isBeingReplaced(operation({ next_actions: [] }))).toBe(false);
});

function verified(change: Partial<Verification["action_state"]> = {}): Verification["action_state"] {
  return {
    selection_fingerprint: "f",
    alignment_state: "aligned",
    resource_state: "ready",
    admin_update_allowed: false,
    continue_allowed: true,
    terminal_error: null,
    busy: false,
    progress_message: null,
    ...change,
  };
}

const choice = (change: Partial<Choice>): Choice => ({ chosen: "v2", held: null, ready: false, operation: null, state: verified(), ...change });
const error = (code: string) => ({ code, message: "", next_actions: [] });

test("a build of another Admin is not taken before its Admin is here", () => {
  expect(releaseAct(choice({}))).toBe("use");
  expect(releaseAct(choice({ state: verified({ continue_allowed: false, admin_update_allowed: true }) }))).toBe("update_admin");
  expect(releaseAct(choice({ state: null }))).toBe("nothing");
  expect(releaseAct(choice({ state: verified({ busy: true }) }))).toBe("nothing");
});

test("another build than the one of the setup's operation is changed to, unless more than that stands against it", () => {
  const held = { held: "v1", operation: "o1" };
  const other = verified({ continue_allowed: false, terminal_error: error("transition_active_for_another_build") });
  expect(releaseAct(choice({ ...held, state: other }))).toBe("change");
  expect(releaseAct(choice({ ...held, state: verified({ terminal_error: error("system_build_transition_blocked") }) }))).toBe("nothing");
  expect(releaseAct(choice({ ...held, chosen: "v1", ready: true, state: null }))).toBe("go_on");
});
