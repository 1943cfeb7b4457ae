import { describe, expect, test } from "vitest";
import type { DeviceItem, Draft } from "../src/server/setup_shapes";
import { draftOf, hintFor, newDevice, NO_PLANS, plansOf, type Plans } from "../src/setup/draft";

function plansWith(...devices: DeviceItem[]): Plans {
  return { ...NO_PLANS, cards: devices.map((device, index) => ({ id: `${index}`, device })) };
}

const battery = { ...newDevice("battery", []), ip: "10.0.0.5" };
const meter = { ...newDevice("grid_meter", []), ip: "10.0.0.7" };

describe("the request made from the cards", () => {
  test("names exactly the fields of a draft", () => {
    expect(Object.keys(draftOf(NO_PLANS)).sort()).toEqual([
      "devices",
      "features",
      "mqtt_broker",
      "mqtt_manual_devices",
      "mqtt_proposals",
      "supported_grid_meter_count",
    ]);
  });

  test("counts one grid meter, and none that is switched off", () => {
    expect(draftOf(plansWith(battery, meter)).supported_grid_meter_count).toBe(1);
    expect(draftOf(plansWith(battery, { ...meter, enabled: false })).supported_grid_meter_count).toBe(0);
  });

  test("leaves out what was emptied, and keeps a nought", () => {
    const emptied = { ...battery, serial_number: "", display_name: "", min_soc: 0 };
    const [sent] = draftOf(plansWith(emptied)).devices;
    expect(sent).not.toHaveProperty("serial_number");
    expect(sent).not.toHaveProperty("display_name");
    expect(sent?.min_soc).toBe(0);
  });

  test("gives a device the address of its connection and no other", () => {
    const mqtt = { broker_ref: "broker", device_id: "b1", topic: "home/b1" };
    const draft = draftOf(plansWith({ ...battery, type: "mqtt", mqtt }, { ...meter, mqtt }));
    expect(draft.mqtt_manual_devices).toHaveLength(1);
    expect(draft.mqtt_manual_devices[0]).not.toHaveProperty("ip");
    expect(draft.devices[0]).not.toHaveProperty("mqtt");
  });

  test("keeps a grid meter among the devices also when it speaks MQTT", () => {
    const draft = draftOf(plansWith({ ...meter, type: "mqtt", mqtt: { broker_ref: "b", device_id: "m", topic: "t" } }));
    expect(draft.devices).toHaveLength(1);
    expect(draft.mqtt_manual_devices).toEqual([]);
  });

  test("says {} where there is no broker", () => {
    expect(draftOf(NO_PLANS).mqtt_broker).toEqual({});
  });
});

test("an example becomes cards and the same draft again", () => {
  const example: Draft = {
    devices: [battery, meter],
    supported_grid_meter_count: 1,
    features: { dashboard: true },
    mqtt_proposals: [{ id: "p1", broker_ref: "broker" }],
    mqtt_broker: { ref: "broker", host: "10.0.0.2", port: 1883, tls: false },
    mqtt_manual_devices: [
      { role: "battery", enabled: true, config_name: "b9", type: "mqtt", mqtt: { broker_ref: "broker", device_id: "9", topic: "t" } },
    ],
  };
  let id = 0;
  expect(draftOf(plansOf(example, () => `${id++}`))).toEqual(example);
});

test("a field without a value is a field that was not named", () => {
  const example = {
    ...draftOf(plansWith(battery)),
    devices: [{ ...battery, serial_number: null, mqtt: null }],
    mqtt_broker: { ref: null, host: null },
  } as unknown as Draft;
  const plans = plansOf(example, () => "0");
  expect(plans.cards[0]?.device).toEqual(battery);
  expect(plans.broker).toBeNull();
});

describe("a new device", () => {
  test("takes the first free name", () => {
    const second = newDevice("battery", [newDevice("battery", [])]);
    expect(second.config_name).toBe("battery_2");
    expect(newDevice("battery", [second]).config_name).toBe("battery_1");
  });

  test("stands on values that are safe at home", () => {
    expect(newDevice("battery", [])).toMatchObject({ enabled: true, type: "local_api", max_power: 800, min_soc: 10, max_soc: 95 });
    expect(newDevice("grid_meter", [])).not.toHaveProperty("max_power");
  });
});

test("the hint names what is missing, and falls silent", () => {
  expect(hintFor(NO_PLANS)).toContain("battery or inverter");
  expect(hintFor(plansWith(battery))).toContain("grid meter");
  expect(hintFor(plansWith(meter))).toContain("battery or inverter");
  expect(hintFor(plansWith(battery, meter))).toBeNull();
  expect(hintFor(plansWith({ ...battery, enabled: false }, meter))).not.toBeNull();
});
