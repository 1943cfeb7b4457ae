import { describe, expect, test } from "vitest";
import type { SetupWorkflow, Transition } from "../src/server/shapes";
import type { DeploymentState, SystemAlignmentState } from "../src/generated/machines";
import { furthestStep, shownStep, type Stored } from "../src/setup/steps";
import { relationTo } from "../src/setup/identity";

function workflow(change: Partial<SetupWorkflow> = {}): SetupWorkflow {
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

function model(
  setup: SetupWorkflow | null,
  stage: SystemAlignmentState | null,
  deployment: DeploymentState = "none",
  failed: SystemAlignmentState | null = null,
): Stored {
  const transition = stage && ({ operation_id: "o1", stage, failed_stage: failed, system_tag: "v1.0.0" } as Transition);
  return {
    setup,
    alignment: { ok: true, active: stage !== null, transition },
    deployment: { state: deployment, services: [], dashboard_url: null, dashboard_reachable: null, errors: [], conflict: null },
  };
}

describe("how far the stored state lets the operator go", () => {
  const cases: [string, ReturnType<typeof model>, string][] = [
    ["no workflow", model(null, null), "release"],
    ["a workflow without an operation", model(workflow({ operation_id: null }), null), "release"],
    ["a build on its way", model(workflow(), "admin_aligned"), "release"],
    ["a build that failed to arrive", model(workflow(), "failed_recoverable", "none", "admin_aligned"), "release"],
    ["a build in place", model(workflow(), "resources_verified"), "config"],
    ["a written configuration", model(workflow({ generated: true }), "resources_verified"), "prepare"],
    ["a failed preparation", model(workflow({ generated: true }), "resources_verified", "failed"), "prepare"],
    ["a prepared deployment", model(workflow({ generated: true }), "resources_verified", "prepared"), "start"],
    ["a start that was cut", model(workflow({ generated: true }), "ems_operation_running", "prepared"), "start"],
    ["a failed start", model(workflow({ generated: true }), "failed_recoverable", "failed", "healthcheck_pending"), "start"],
    ["a finished setup", model(workflow({ status: "completed" }), "completed", "running"), "start"],
  ];
  test.each(cases)("%s", (_name, now, furthest) => {
    expect(furthestStep(now)).toBe(furthest);
  });

  test("the operation of somebody else opens nothing", () => {
    expect(furthestStep(model(workflow({ operation_id: "other" }), "resources_verified"))).toBe("release");
  });
});

describe("the step that is shown", () => {
  test("is the remembered one while the server allows it", () => {
    expect(shownStep("devices", "prepare")).toBe("devices");
  });

  test("is never beyond what the server has stored", () => {
    expect(shownStep("start", "release")).toBe("release");
    expect(shownStep("start", "prepare")).toBe("prepare");
  });

  test("begins with the devices when nothing is remembered and only the build is in place", () => {
    expect(shownStep(null, "config")).toBe("devices");
  });
});

describe("a tab and the server's workflow", () => {
  const mine = { workflow_id: "w1", preview_id: null };

  test("a newer active workflow makes the tab an old one", () => {
    expect(relationTo(mine, workflow({ workflow_id: "w2" }))).toBe("replaced");
  });

  test("a tab that remembers none takes the active one over", () => {
    expect(relationTo(null, workflow())).toBe("unknown_here");
  });

  test("an ended workflow of somebody else is in nobody's way", () => {
    expect(relationTo(mine, workflow({ workflow_id: "w2", status: "completed" }))).toBe("ended");
    expect(relationTo(mine, null)).toBe("none");
  });

  test("the own workflow stays the own one after its end, for its cleanup needs the id", () => {
    expect(relationTo(mine, workflow({ status: "abandoned" }))).toBe("same");
  });
});
