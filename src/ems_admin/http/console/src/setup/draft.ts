/** From the device cards to the body of a preview. Both directions, so that an example or a stored draft becomes cards. */

import type { Broker, DeviceItem, Draft, Features, Role } from "../server/setup_shapes";

/** A device card: what the server gets, and a name of its own that survives every edit. */
export interface Card {
  id: string;
  device: DeviceItem;
}

/** Everything that the operator has typed. */
export interface Plans {
  cards: Card[];
  features: Features;
  proposals: Draft["mqtt_proposals"];
  broker: Broker | null;
}

export const NO_PLANS: Plans = { cards: [], features: {}, proposals: [], broker: null };

export const ROLE_NAMES: Record<Role, string> = { battery: "Battery", inverter: "Inverter", grid_meter: "Grid meter" };

/** Where a new device starts: safe for the hardware that people have at home, to be changed where needed. */
export function newDevice(role: Role, existing: readonly DeviceItem[]): DeviceItem {
  const number = freeNumber(role, existing);
  const common: DeviceItem = {
    role,
    enabled: true,
    config_name: role === "grid_meter" ? "grid_meter" : `${role}_${number}`,
    display_name: role === "grid_meter" ? "Grid meter" : `${ROLE_NAMES[role]} ${number}`,
    type: "local_api",
    ip: "",
  };
  if (role === "battery") return { ...common, max_power: 800, min_soc: 10, max_soc: 95, battery_kwh: 2 };
  if (role === "inverter") return { ...common, max_power: 800 };
  return common;
}

function freeNumber(role: Role, existing: readonly DeviceItem[]): number {
  const taken = new Set(existing.map((device) => device.config_name));
  let number = 1;
  while (taken.has(`${role}_${number}`)) number += 1;
  return number;
}

/** Batteries and inverters that speak MQTT travel in their own list; the grid meter always stays with the devices. */
function isManualMqtt(device: DeviceItem): boolean {
  return device.type === "mqtt" && device.role !== "grid_meter";
}

export function draftOf(plans: Plans): Draft {
  const devices = plans.cards.map((card) => cleaned(card.device));
  const meters = devices.filter((device) => device.role === "grid_meter" && device.enabled);
  return {
    devices: devices.filter((device) => !isManualMqtt(device)),
    supported_grid_meter_count: Math.min(meters.length, 1),
    features: plans.features,
    mqtt_proposals: plans.proposals,
    mqtt_broker: plans.broker ?? {},
    mqtt_manual_devices: devices.filter(isManualMqtt),
  };
}

/** An emptied field means "not said", which the server tells from an empty text. */
function cleaned(device: DeviceItem): DeviceItem {
  const { ip, mqtt, ...rest } = device;
  const address = device.type === "mqtt" ? (mqtt ? { mqtt } : {}) : { ip: (ip ?? "").trim() };
  const given = Object.entries(rest).filter(([, value]) => value !== "" && value !== undefined);
  return { ...(Object.fromEntries(given) as Omit<DeviceItem, "ip" | "mqtt">), ...address };
}

export function plansOf(draft: Draft, newId: () => string): Plans {
  const devices = [...(draft.devices ?? []), ...(draft.mqtt_manual_devices ?? [])];
  const broker = draft.mqtt_broker;
  return {
    cards: devices.map((device) => ({ id: newId(), device: said(device) })),
    features: draft.features ?? {},
    proposals: draft.mqtt_proposals ?? [],
    broker: isBroker(broker) ? said(broker) : null,
  };
}

function isBroker(broker: Draft["mqtt_broker"] | null | undefined): broker is Broker {
  return Boolean(broker && "ref" in broker && broker.ref);
}

/** An answer may name a field and give it no value; for a card that is the same as not naming it. */
function said<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) as T;
}

/** What is still missing before it is worth asking the server. A hint beside the field, never a verdict. */
export function hintFor(plans: Plans): string | null {
  const enabled = plans.cards.map((card) => card.device).filter((device) => device.enabled);
  if (enabled.length === 0) return "Add at least one battery or inverter, and the grid meter.";
  if (!enabled.some((device) => device.role !== "grid_meter")) return "Add at least one battery or inverter.";
  if (!enabled.some((device) => device.role === "grid_meter")) return "Add the grid meter, so that the EMS knows what your home needs.";
  return null;
}
