import { describe, expect, it } from "vitest";
import type { ThreeWayField } from "../src/server/config_shapes";
import { allOf } from "../src/editor/three_ways";
import { NO_PLANS, type Plans } from "../src/setup/draft";
import { canTakeLive, takeLive } from "../src/setup/take_live";

const PLANS: Plans = {
  ...NO_PLANS,
  cards: [
    { id: "1", device: { role: "battery", enabled: true, config_name: "cellar", display_name: "Cellar", type: "local_api", ip: "10.0.0.2", max_power: 800 } },
    { id: "2", device: { role: "grid_meter", enabled: true, config_name: "grid_meter", type: "local_api", ip: "10.0.0.3" } },
  ],
  features: { winter_mode: false },
  broker: { ref: "home", host: "10.0.0.9", port: 1883, tls: false, password: "secret" },
};

const field = (pointer: string, live?: ThreeWayField["live"]): ThreeWayField => ({ pointer, standing: "conflict", ...(live === undefined ? {} : { live }) });
const taken = (...fields: ThreeWayField[]) => takeLive(PLANS, fields, allOf(fields, "live"), () => "new");

describe("a live value that is taken back into the cards of a setup", () => {
  it("lands in the card that bears the name, which keeps all else that was typed", () => {
    const [cellar, meter] = taken(field("/devices/cellar/max_power", 500), field("/grid_meter/ip", "10.0.0.4")).cards;
    expect(cellar?.device).toEqual({ ...PLANS.cards[0]?.device, max_power: 500 });
    expect(meter?.device.ip).toBe("10.0.0.4");
  });

  it("brings a device that is new, as what its words say it is, and takes one away that is gone", () => {
    const roof = { name: "roof", type: "mqtt", mqtt: { broker_ref: "home" }, max_power: 600 };
    const { cards } = taken(field("/devices/cellar"), field("/devices/roof", roof));
    const { name, ...rest } = roof;
    expect(cards.map((card) => card.device.config_name)).toEqual(["grid_meter", name]);
    expect(cards[1]?.device).toEqual({ role: "inverter", enabled: true, config_name: name, ...rest });
  });

  it("lands in a switch and in the broker, whose typed password stays", () => {
    const next = taken(field("/features/winter_mode", true), field("/mqtt/brokers/home/port", 8883));
    expect(next.features).toEqual({ winter_mode: true });
    expect(next.broker).toEqual({ ...PLANS.broker, port: 8883 });
  });

  it("is not offered where no card could hold it", () => {
    const barred = ["/system/deadband", "/mqtt/brokers/barn/port", "/devices/attic/max_power"].map((pointer) => canTakeLive(PLANS, field(pointer, 1)));
    expect(barred).toEqual([false, false, false]);
    expect(takeLive(PLANS, [field("/system/deadband", 1)], { "/system/deadband": "live" }, () => "new")).toBe(PLANS);
  });
});
