import { expect, test } from "vitest";
import { DRAFT_KEYS, KEYS, Memory } from "../src/tab/memory";
import { MemoryStorage } from "./stage";

test("the nine keys are the whole memory of the browser", () => {
  expect(Object.values(KEYS).sort()).toEqual([
    "ems-admin-config-dismissed",
    "ems-admin-config-dismissed-serials",
    "ems-admin-config-draft",
    "ems-admin-config-features",
    "ems-admin-config-mqtt-broker",
    "ems-admin-config-mqtt-manual-devices",
    "ems-admin-config-mqtt-preview",
    "ems-admin-setup-step",
    "ems-admin-setup-workflow",
  ]);
});

test("starting over forgets the draft, and neither step nor workflow", () => {
  expect(DRAFT_KEYS).toHaveLength(7);
  expect(DRAFT_KEYS).not.toContain("step");
  expect(DRAFT_KEYS).not.toContain("workflow");
});

test("what was written is read again", () => {
  const memory = new Memory(new MemoryStorage());
  memory.write("step", "config");
  expect(memory.read("step", null)).toBe("config");
});

test("a note that cannot be read counts as none", () => {
  const storage = new MemoryStorage();
  storage.setItem(KEYS.draft, "[{");
  expect(new Memory(storage).read("draft", [])).toEqual([]);
});

test("a storage that is full or forbidden stops nothing", () => {
  const forbidden = () => {
    throw new Error("forbidden");
  };
  const memory = new Memory({ getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  memory.write("draft", []);
  memory.forget("draft");
  expect(memory.read("draft", "none")).toBe("none");
});
