/** The plans of a setup with a live value in them: the way from a field of the config back to the cards it was made of. */

import type { Json, JsonObject, ThreeWayField } from "../server/config_shapes";
import type { DeviceItem, Role } from "../server/setup_shapes";
import { isObject, parts, put } from "../editor/pointer";
import type { Choices } from "../editor/three_ways";
import type { Card, Plans } from "./draft";

/** Cards hold devices, the grid meter, switches and one broker. Everything else a setup takes from its build. */
export function canTakeLive(plans: Plans, field: ThreeWayField): boolean {
  return field.live === field.mine || withLive(plans, field, () => "new") !== null;
}

export function takeLive(plans: Plans, fields: readonly ThreeWayField[], choices: Choices, newId: () => string): Plans {
  return fields.reduce((held, field) => (choices[field.pointer] === "live" ? (withLive(held, field, newId) ?? held) : held), plans);
}

function withLive(plans: Plans, { pointer, live }: ThreeWayField, newId: () => string): Plans | null {
  const [area, name, ...rest] = parts(pointer);
  switch (area) {
    case "devices":
      return name === undefined ? null : deviceWith(plans, name, rest, live, newId);
    case "grid_meter":
      return meterWith(plans, name === undefined ? [] : [name, ...rest], live, newId);
    case "features":
      return name !== undefined && typeof live === "boolean" ? { ...plans, features: { ...plans.features, [name]: live } } : null;
    case "mqtt":
      return rest.length === 2 ? brokerWith(plans, rest[0], rest[1], live) : null;
    default:
      return null;
  }
}

function deviceWith(plans: Plans, name: string, rest: readonly string[], live: Json | undefined, newId: () => string): Plans | null {
  const card = plans.cards.find(({ device }) => device.role !== "grid_meter" && device.enabled && device.config_name === name);
  if (rest.length > 0) return card ? changed(plans, card, inCard(card.device, rest, live)) : null;
  if (isObject(live)) return placed(plans, card, { role: roleOf(live), enabled: true, config_name: name, ...cardOf(live) }, newId);
  return card ? { ...plans, cards: plans.cards.filter((other) => other !== card) } : null;
}

function meterWith(plans: Plans, rest: readonly string[], live: Json | undefined, newId: () => string): Plans | null {
  const card = plans.cards.find(({ device }) => device.role === "grid_meter" && device.enabled);
  if (rest.length > 0) return card && rest[0] !== "url" ? changed(plans, card, inCard(card.device, rest, live)) : null;
  if (!isObject(live) || "url" in live) return null;
  return placed(plans, card, { role: "grid_meter", enabled: true, config_name: "grid_meter", ...cardOf(live) }, newId);
}

function brokerWith(plans: Plans, ref: string | undefined, key: string | undefined, live: Json | undefined): Plans | null {
  const broker = plans.broker;
  if (!broker || broker.ref !== ref || key === undefined || key === "password" || key === "credentials_ref") return null;
  return { ...plans, broker: put(broker as unknown as JsonObject, `/${key}`, live ?? undefined) as unknown as typeof broker };
}

function inCard(device: DeviceItem, rest: readonly string[], live: Json | undefined): DeviceItem {
  const key = rest[0] === "name" ? "config_name" : rest[0];
  return put(device as unknown as JsonObject, `/${[key, ...rest.slice(1)].join("/")}`, live ?? undefined) as unknown as DeviceItem;
}

/** A device of the config, as a card holds it: its name has a place of its own there. */
function cardOf({ name: _named, ...rest }: JsonObject): Omit<DeviceItem, "role" | "enabled" | "config_name"> {
  return rest as unknown as Omit<DeviceItem, "role" | "enabled" | "config_name">;
}

/** The config does not say what a device is; a capacity or a level is a battery's alone. */
function roleOf(live: JsonObject): Role {
  return "battery_kwh" in live || "min_soc" in live || "max_soc" in live ? "battery" : "inverter";
}

function placed(plans: Plans, card: Card | undefined, device: DeviceItem, newId: () => string): Plans {
  if (card) return changed(plans, card, { ...device, role: card.device.role, ...(card.device.display_name ? { display_name: card.device.display_name } : {}) });
  return { ...plans, cards: [...plans.cards, { id: newId(), device }] };
}

function changed(plans: Plans, card: Card, device: DeviceItem): Plans {
  return { ...plans, cards: plans.cards.map((other) => (other === card ? { ...card, device } : other)) };
}
