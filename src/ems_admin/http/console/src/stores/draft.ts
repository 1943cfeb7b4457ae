/** What the operator plans: devices, features, broker. Kept in this browser until a Setup is started over. */

import { computed, effect, signal } from "@preact/signals";
import type { Broker, DeviceItem, Draft, Features, Role } from "../server/setup_shapes";
import { draftOf, newDevice, NO_PLANS, plansOf, type Card, type Plans } from "../setup/draft";
import { DRAFT_KEYS, Memory } from "../tab/memory";

export const memory = new Memory(window.localStorage);

let lastId = 0;
const newId = (): string => `card-${++lastId}`;

function remembered(): Plans {
  const broker = memory.read<Broker | null>("mqttBroker", null);
  return plansOf(
    {
      devices: memory.read<DeviceItem[]>("draft", []),
      supported_grid_meter_count: 0,
      features: memory.read<Features>("features", {}),
      mqtt_proposals: memory.read<Draft["mqtt_proposals"]>("mqttPreview", []),
      mqtt_broker: broker ?? {},
      mqtt_manual_devices: memory.read<DeviceItem[]>("mqttManualDevices", []),
    },
    newId,
  );
}

export const plans = signal<Plans>(remembered());
export const draft = computed<Draft>(() => draftOf(plans.value));

effect(() => {
  const now = draft.value;
  memory.write("draft", now.devices);
  memory.write("mqttManualDevices", now.mqtt_manual_devices);
  memory.write("features", now.features);
  memory.write("mqttPreview", now.mqtt_proposals);
  memory.write("mqttBroker", withoutPassword(plans.value.broker));
});

/** A password is typed again after a reload: the browser's storage is no place for it. */
function withoutPassword(broker: Broker | null): Broker | null {
  if (!broker) return null;
  const { password: _secret, ...rest } = broker;
  return rest;
}

export function addDevice(role: Role): string {
  const card: Card = { id: newId(), device: newDevice(role, plans.value.cards.map((other) => other.device)) };
  plans.value = { ...plans.value, cards: [...plans.value.cards, card] };
  return card.id;
}

export function changeDevice(id: string, change: Partial<DeviceItem>): void {
  const cards = plans.value.cards.map((card) => (card.id === id ? { ...card, device: { ...card.device, ...change } } : card));
  plans.value = { ...plans.value, cards };
}

export function removeDevice(id: string): void {
  plans.value = { ...plans.value, cards: plans.value.cards.filter((card) => card.id !== id) };
}

export function changeFeature(name: string, on: boolean): void {
  plans.value = { ...plans.value, features: { ...plans.value.features, [name]: on } };
}

export function changeBroker(broker: Broker | null): void {
  plans.value = { ...plans.value, broker };
}

export function useExample(example: Draft): void {
  plans.value = plansOf(example, newId);
}

export function forgetDraft(): void {
  plans.value = NO_PLANS;
  DRAFT_KEYS.forEach((key) => memory.forget(key));
}
