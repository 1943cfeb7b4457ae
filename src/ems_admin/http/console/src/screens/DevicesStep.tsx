/** Step 2: the devices of this home, as cards. Sensible values stand in them already. */

import type { Role } from "../server/setup_shapes";
import { readSchema, schema } from "../stores/builds";
import { addDevice, changeBroker, changeFeature, plans } from "../stores/draft";
import { openStep } from "../stores/workflow";
import { hintFor, ROLE_NAMES } from "../setup/draft";
import { Button } from "../parts/Button";
import { NumberField, Switch, TextField } from "../parts/Field";
import { DeviceCard } from "./DeviceCard";
import { LeftOut, NoDevices } from "./NoDevices";
import { StepFrame } from "./StepFrame";
import { useRead } from "./useRead";

export function DevicesStep() {
  useRead(readSchema, schema.value === null);
  const hint = hintFor(plans.value);
  return (
    <StepFrame
      step="devices"
      title="Your devices"
      lead="Which batteries, inverters and which grid meter shall the EMS work with? Everything stays in this browser until you write it in the next step."
      footer={
        <>
          <Button kind="primary" icon="arrow" reason={hint} onClick={() => openStep("config")}>
            Continue to config
          </Button>
        </>
      }
    >
      <DeviceList />
      <MqttBroker />
      <FeatureSwitches />
    </StepFrame>
  );
}

const ROLES: readonly Role[] = ["battery", "inverter", "grid_meter"];

function DeviceList() {
  const cards = plans.value.cards;
  const hasMeter = cards.some((card) => card.device.role === "grid_meter");
  return (
    <>
      {cards.length === 0 && <NoDevices />}
      <LeftOut />
      {cards.length > 0 && (
        <ul class="devices" aria-label="Devices">
          {cards.map((card) => (
            <li key={card.id}>
              <DeviceCard card={card} />
            </li>
          ))}
        </ul>
      )}
      <div class="row" role="group" aria-label="Add a device">
        {ROLES.map((role) => (
          <Button key={role} icon="plus" disabled={role === "grid_meter" && hasMeter} onClick={() => addDevice(role)}>
            Add {ROLE_NAMES[role].toLowerCase()}
          </Button>
        ))}
      </div>
    </>
  );
}

/** Shown when a device speaks MQTT: where the broker is. */
function MqttBroker() {
  const { cards, broker } = plans.value;
  if (!broker && !cards.some((card) => card.device.type === "mqtt")) return null;
  const now = broker ?? { ref: "broker", host: "", port: 1883, tls: false };
  return (
    <section class="card" aria-labelledby="mqtt-broker">
      <h3 id="mqtt-broker">MQTT broker</h3>
      <div class="fields">
        <TextField label="Broker name" value={now.ref} onChange={(ref) => changeBroker({ ...now, ref })} hint="Devices refer to it by this name." />
        <TextField label="Host" value={now.host} onChange={(host) => changeBroker({ ...now, host })} placeholder="192.168.1.10" />
        <NumberField label="Port" value={now.port} onChange={(port) => changeBroker({ ...now, port: port ?? 0 })} />
        <TextField label="User name" value={now.username ?? ""} onChange={(username) => changeBroker({ ...now, username })} />
        <TextField
          label="Broker password"
          type="password"
          value={now.password ?? ""}
          onChange={(password) => changeBroker({ ...now, password })}
          hint="Kept out of this browser's storage; typed again after a reload."
        />
      </div>
      <Switch label="Encrypted (TLS)" on={now.tls} onChange={(tls) => changeBroker({ ...now, tls })} />
    </section>
  );
}

const FEATURES: Readonly<Record<string, { label: string; hint: string }>> = {
  dashboard: { label: "Dashboard", hint: "A page with live values that everybody at home can open." },
  history: { label: "History", hint: "Keeps measured values, so that days can be compared." },
  winter_mode: { label: "Winter mode", hint: "Holds more charge back while the sun is low." },
};

function FeatureSwitches() {
  const offered = { ...schema.value?.template?.features, ...plans.value.features };
  const names = Object.keys(offered).filter((name) => typeof offered[name] === "boolean");
  if (names.length === 0) return null;
  return (
    <section class="card features" aria-labelledby="features">
      <h3 id="features">Features</h3>
      {names.map((name) => (
        <Switch
          key={name}
          label={FEATURES[name]?.label ?? name}
          hint={FEATURES[name]?.hint}
          on={offered[name] === true}
          onChange={(on) => changeFeature(name, on)}
        />
      ))}
    </section>
  );
}
