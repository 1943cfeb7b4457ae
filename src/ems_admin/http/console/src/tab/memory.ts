/** What the browser remembers: exactly the nine keys of the console, and nothing that gives authority. */

export const KEYS = {
  draft: "ems-admin-config-draft",
  dismissed: "ems-admin-config-dismissed",
  dismissedSerials: "ems-admin-config-dismissed-serials",
  features: "ems-admin-config-features",
  mqttPreview: "ems-admin-config-mqtt-preview",
  mqttManualDevices: "ems-admin-config-mqtt-manual-devices",
  mqttBroker: "ems-admin-config-mqtt-broker",
  step: "ems-admin-setup-step",
  workflow: "ems-admin-setup-workflow",
} as const;

export type Key = keyof typeof KEYS;

/** "Start over" forgets these; step and workflow are overwritten by what begins next. */
export const DRAFT_KEYS: readonly Key[] = [
  "draft",
  "dismissed",
  "dismissedSerials",
  "features",
  "mqttPreview",
  "mqttManualDevices",
  "mqttBroker",
];

export class Memory {
  constructor(private readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {}

  read<T>(key: Key, otherwise: T): T {
    try {
      const text = this.storage.getItem(KEYS[key]);
      return text === null ? otherwise : (JSON.parse(text) as T);
    } catch {
      // A note that cannot be read is as good as none: it is a convenience, the server knows the truth.
      return otherwise;
    }
  }

  write(key: Key, value: unknown): void {
    try {
      this.storage.setItem(KEYS[key], JSON.stringify(value));
    } catch {
      // A full or forbidden storage costs the draft after a reload, never the work on the screen.
    }
  }

  forget(key: Key): void {
    try {
      this.storage.removeItem(KEYS[key]);
    } catch {
      // As above.
    }
  }
}
