/** One device: what it is, how it is reached, and its limits. */

import { useState } from "preact/hooks";
import type { DeviceItem } from "../server/setup_shapes";
import { changeDevice, removeDevice } from "../stores/draft";
import { ROLE_NAMES, type Card } from "../setup/draft";
import { NumberField, SelectField, Switch, TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";

export function DeviceCard({ card }: { card: Card }) {
  const { device } = card;
  const name = device.display_name || device.config_name;
  // A card that still lacks its address is open; a complete one shows itself in a line.
  const [open, setOpen] = useState(addressOf(device) === "");
  return (
    <article class={device.enabled ? "device" : "device device-off"} aria-label={name}>
      <header class="device-head">
        <span class="device-sign">
          <Icon name={device.role} size="large" />
        </span>
        <div class="device-name">
          <h3>{name}</h3>
          <p class="hint">
            {ROLE_NAMES[device.role]} · {addressOf(device) || "address missing"}
          </p>
          <Limits device={device} />
        </div>
        <Switch label="" ariaLabel={`Use ${name}`} on={device.enabled} onChange={(enabled) => changeDevice(card.id, { enabled })} />
      </header>
      <details class="device-more" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Details of {name}</summary>
        <DeviceFields card={card} />
        <button type="button" class="button button-quiet button-remove" onClick={() => removeDevice(card.id)}>
          <Icon name="trash" />
          <span>Remove {name}</span>
        </button>
      </details>
    </article>
  );
}

function addressOf(device: DeviceItem): string {
  if (device.type === "mqtt") return device.mqtt?.topic ? `MQTT ${device.mqtt.topic}` : "";
  return device.ip ?? "";
}

function Limits({ device }: { device: DeviceItem }) {
  const limits = [
    device.battery_kwh !== undefined ? `${device.battery_kwh} kWh` : null,
    device.max_power !== undefined ? `up to ${device.max_power} W` : null,
    device.min_soc !== undefined && device.max_soc !== undefined ? `${device.min_soc} – ${device.max_soc} %` : null,
  ].filter((limit) => limit !== null);
  if (limits.length === 0) return null;
  return (
    <ul class="limits" aria-label="Limits">
      {limits.map((limit) => (
        <li key={limit}>{limit}</li>
      ))}
    </ul>
  );
}

const CONNECTIONS = [
  { value: "local_api", label: "Local network" },
  { value: "mqtt", label: "MQTT" },
] as const;

function DeviceFields({ card }: { card: Card }) {
  const { device } = card;
  const change = (part: Partial<DeviceItem>) => changeDevice(card.id, part);
  const limited = device.role !== "grid_meter";
  return (
    <div class="fields">
      <TextField label="Name" value={device.display_name ?? ""} onChange={(display_name) => change({ display_name })} />
      <SelectField
        label="Connection"
        value={device.type}
        options={CONNECTIONS}
        onChange={(type) => change(type === "mqtt" ? { type, mqtt: device.mqtt ?? NEW_MQTT } : { type: "local_api" })}
      />
      {device.type === "mqtt" ? (
        <MqttFields device={device} change={change} />
      ) : (
        <TextField label="IP address" value={device.ip ?? ""} onChange={(ip) => change({ ip })} placeholder="192.168.1.50" hint="Shown in the device's app or in your router." />
      )}
      <TextField label="Serial number" value={device.serial_number ?? ""} onChange={(serial_number) => change({ serial_number })} hint="Optional" />
      {limited && <NumberField label="Highest power" unit="W" value={device.max_power} onChange={(value) => change(optional("max_power", value))} />}
      {device.role === "battery" && (
        <>
          <NumberField label="Capacity" unit="kWh" value={device.battery_kwh} onChange={(value) => change(optional("battery_kwh", value))} />
          <NumberField label="Never below" unit="%" value={device.min_soc} onChange={(value) => change(optional("min_soc", value))} />
          <NumberField label="Never above" unit="%" value={device.max_soc} onChange={(value) => change(optional("max_soc", value))} />
        </>
      )}
      <TextField label="Name in the configuration" value={device.config_name} onChange={(config_name) => change({ config_name })} />
    </div>
  );
}

const NEW_MQTT = { broker_ref: "broker", device_id: "", topic: "" };

/** An emptied number is "not said"; the cast is the one place where the exact optional type has to be given up. */
function optional(name: "max_power" | "battery_kwh" | "min_soc" | "max_soc", value: number | undefined): Partial<DeviceItem> {
  return { [name]: value } as Partial<DeviceItem>;
}

function MqttFields({ device, change }: { device: DeviceItem; change: (part: Partial<DeviceItem>) => void }) {
  const mqtt = device.mqtt ?? NEW_MQTT;
  return (
    <>
      <TextField label="Broker" value={mqtt.broker_ref} onChange={(broker_ref) => change({ mqtt: { ...mqtt, broker_ref } })} />
      <TextField label="Device id" value={mqtt.device_id} onChange={(device_id) => change({ mqtt: { ...mqtt, device_id } })} />
      <TextField label="Topic" value={mqtt.topic} onChange={(topic) => change({ mqtt: { ...mqtt, topic } })} placeholder="home/battery" />
    </>
  );
}
