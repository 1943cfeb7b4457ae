import { describe, expect, it } from "vitest";
import type { FormField, FormSection, Json, ThreeWayField } from "../src/server/config_shapes";
import { beginning, belongs, chosen, placeWords, PLAIN, summaryOf, valueWords } from "../src/editor/form";
import { at, inside, put, same } from "../src/editor/pointer";
import { readText, written } from "../src/editor/raw";
import { allOf, proposed, undecided } from "../src/editor/three_ways";

const HOME = {
  system: { deadband: 25, dry_run: false },
  devices: [
    { name: "Cellar", type: "local_api", ip: "10.0.0.2" },
    { name: "Roof", type: "mqtt", mqtt: { broker_ref: "home" } },
  ],
  mqtt: { brokers: { "a/b": { host: "h" } } },
};

describe("a place in a document", () => {
  it("is found by number, by the name of a device, and through an escaped key", () => {
    expect(at(HOME, "/devices/1/name")).toBe("Roof");
    expect(at(HOME, "/devices/Cellar/ip")).toBe("10.0.0.2");
    expect(at(HOME, inside("/mqtt/brokers", "a/b") + "/host")).toBe("h");
    expect(at(HOME, "/devices/Attic/ip")).toBeUndefined();
  });

  it("gets another value, and everything else stays the very same", () => {
    const next = put(HOME, "/devices/Roof/mqtt/broker_ref", "barn") as typeof HOME;
    expect(at(next, "/devices/1/mqtt/broker_ref")).toBe("barn");
    expect(next.devices[0]).toBe(HOME.devices[0]);
    expect(HOME.devices[1]?.mqtt?.broker_ref).toBe("home");
  });

  it("is taken away, a device as well as a key", () => {
    expect(at(put(HOME, "/devices/Cellar", undefined), "/devices")).toEqual([HOME.devices[1]]);
    expect(at(put(HOME, "/system/dry_run", undefined), "/system")).toEqual({ deadband: 25 });
  });

  it("comes at the end where a list has none of that name", () => {
    const shed = { name: "Shed", type: "local_api" };
    expect(at(put(HOME, "/devices/Shed", shed), "/devices/2")).toEqual(shed);
  });

  it("is the same whatever the order of its keys", () => {
    expect(same({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
    expect(same({ a: 1 }, { a: "1" })).toBe(false);
  });
});

describe("a draft that meets a changed config", () => {
  const FIELDS: ThreeWayField[] = [
    { pointer: "/system/deadband", baseline: 25, live: 40, mine: 60, standing: "conflict" },
    { pointer: "/system/dry_run", baseline: true, live: true, mine: false, standing: "mine_only" },
    { pointer: "/devices/Cellar/ip", baseline: "10.0.0.2", live: "10.0.0.9", mine: "10.0.0.2", standing: "live_only" },
    { pointer: "/devices/Roof", baseline: HOME.devices[1] as Json, mine: HOME.devices[1] as Json, standing: "live_only" },
  ];

  it("asks only about what both have changed", () => {
    const choices = proposed(FIELDS);
    expect(choices).toEqual({ "/system/dry_run": "mine", "/devices/Cellar/ip": "live", "/devices/Roof": "live" });
    expect(undecided(FIELDS, choices)).toBe(1);
  });

  it("can be decided for all at once, to either side", () => {
    expect(undecided(FIELDS, allOf(FIELDS, "live"))).toBe(0);
    expect(new Set(Object.values(allOf(FIELDS, "mine")))).toEqual(new Set(["mine"]));
  });
});

describe("the config as text", () => {
  it("comes back as it was written", () => {
    expect(readText(written(HOME)).config).toEqual(HOME);
  });

  it("says where it is not valid, and that it has to be an object", () => {
    expect(readText('{\n  "a": 1,\n  oops\n}').fault).toMatch(/line 3/);
    expect(readText("[1]").fault).toMatch(/one object/);
  });
});

const FIELD: FormField = { ...PLAIN, kind: "text" };
const NEEDED_BY_MQTT = { key: "type", values: ["mqtt"] };
const MEMBERS: FormField[] = [
  { ...FIELD, key: "name", label: "Name" },
  { ...FIELD, key: "type", label: "Connection", kind: "choice", choices: ["local_api", "mqtt"] },
  { ...FIELD, key: "ip", required: false, only_when: { key: "type", values: ["local_api"] } },
  { ...FIELD, key: "mqtt", kind: "group", required: false, only_when: NEEDED_BY_MQTT, fields: [{ ...FIELD, key: "broker_ref" }] },
  { ...FIELD, key: "max_power", label: "Highest power", kind: "integer", minimum: 1, required: false },
];
const DEVICE: FormField = { ...FIELD, kind: "group", fields: MEMBERS };
const DEVICES: FormField = { ...FIELD, key: "devices", pointer: "/devices", label: "Devices", kind: "list", item: DEVICE };
const SYSTEM = [{ ...FIELD, key: "deadband", pointer: "/system/deadband", label: "Deadband" }];
const SECTIONS: FormSection[] = [
  { key: "devices", label: "Devices", help: null, fields: [DEVICES] },
  { key: "system", label: "System", help: null, fields: SYSTEM },
];

describe("the form", () => {
  it("begins a new item with what it needs, under a name of its own", () => {
    expect(beginning(DEVICE, HOME.devices)).toEqual({ name: "Device 3", type: "local_api" });
  });

  it("asks for what belongs to the connection; another one leaves that behind and begins its own", () => {
    const [name, , ip, mqtt] = MEMBERS as [FormField, FormField, FormField, FormField];
    expect([name, ip, mqtt].map((field) => belongs(field, { type: "mqtt" }))).toEqual([true, false, true]);
    const moved = chosen(MEMBERS, { name: "A", type: "local_api", ip: "10.0.0.2" }, "type", "mqtt");
    expect(moved).toEqual({ name: "A", type: "mqtt", mqtt: { broker_ref: "" } });
    expect(chosen(MEMBERS, moved, "type", "local_api")).toEqual({ name: "A", type: "local_api" });
  });

  it("speaks of a place and of a value in words", () => {
    expect(placeWords(SECTIONS, "/devices/0/max_power")).toBe("Devices · number 1 · Highest power");
    expect(placeWords(SECTIONS, "/devices/Cellar/name")).toBe("Devices · Cellar · Name");
    expect(placeWords(SECTIONS, "/system/deadband")).toBe("System · Deadband");
    expect(placeWords([], "/devices/roof_south/max_power")).toBe("devices · roof_south · max power");
    expect(placeWords(SECTIONS, "/grid_meter/serial_number")).toBe("grid meter · serial number");
    expect([valueWords(true), valueWords(null), valueWords(25), valueWords({ broker_ref: "home" })]).toEqual(["on", "not there", "25", "broker ref: home"]);
    expect(summaryOf({ name: "A", ip: "10.0.0.2", max_power: 800 })).toBe("10.0.0.2 · up to 800 W");
  });
});
