/** What the routes of Guided Setup and of the State screen answer. */

import type { EngineState, NextAction } from "./shapes";

export interface Build {
  system_tag: string;
  channel: string;
  revision: string;
  build_id: string;
  released_at: string;
  notes: string | null;
  recommended: boolean;
  selectable: boolean;
  reason: string | { code: string; message: string } | null;
}

export const BUILD_CHECKS = [
  "admin_image_available",
  "ems_image_available",
  "revision_matches",
  "build_id_matches",
  "channel_matches",
  "resources_match",
] as const;
export type BuildCheck = (typeof BUILD_CHECKS)[number];

export interface Verification {
  selected_tag: string;
  summary: string | null;
  checks: Partial<Record<BuildCheck, boolean | null>>;
  action_state: {
    selection_fingerprint: string | null;
    alignment_state: string;
    resource_state: string;
    admin_update_allowed: boolean;
    continue_allowed: boolean;
    terminal_error: { code: string; message: string; next_actions: NextAction[] } | null;
    busy: boolean;
    progress_message: string | null;
  };
}

export interface StartPath {
  route: "setup" | "maintenance";
  setup_workflow_id?: string;
  setup_intent_id?: string;
}

export type Role = "battery" | "inverter" | "grid_meter";

/** One device as a draft names it. The server checks every field; the console only collects them. */
export interface DeviceItem {
  role: Role;
  enabled: boolean;
  config_name: string;
  display_name?: string;
  type: "local_api" | "mqtt";
  ip?: string;
  mqtt?: { broker_ref: string; device_id: string; topic: string };
  serial_number?: string;
  max_power?: number;
  min_soc?: number;
  max_soc?: number;
  battery_kwh?: number;
}

export interface Broker {
  ref: string;
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
}

export type Features = Record<string, boolean>;

/** The body that preview, write, apply and download share. */
export interface Draft {
  devices: DeviceItem[];
  supported_grid_meter_count: number;
  features: Features;
  mqtt_proposals: { id: string; broker_ref: string }[];
  mqtt_broker: Broker | Record<string, never>;
  mqtt_manual_devices: DeviceItem[];
}

export interface SchemaAnswer {
  schema: unknown;
  template: { features?: Features } | null;
  example: Draft | null;
}

export interface Diff {
  added: { pointer: string; value: unknown }[];
  removed: { pointer: string; value: unknown }[];
  changed: { pointer: string; before: unknown; after: unknown }[];
  text: string;
}

export interface Preview {
  validation: { ready: boolean; errors: { code: string; pointer: string; message: string }[] };
  ready: boolean;
  diff: Diff | null;
  config_revision: unknown;
  config_preview_id?: string | null;
}

export interface Plan {
  release: unknown;
  generated_config: { ready: boolean; revision: string | null };
  existing_install: unknown;
  images: { service: string; image?: string | null; digest?: string | null; present?: boolean | null }[];
  engine: EngineState;
  runtime_identity: unknown;
  prepared: { prepared_at?: string; release?: string } | null;
  can_prepare: boolean;
}

export interface MachinePicture {
  name: string;
  title: string;
  summary: string;
  states: readonly string[];
  initial: readonly string[] | string | null;
  final: readonly string[];
}

export interface JournalLine {
  sequence: number;
  time: string;
  machine: string;
  key: string | null;
  trigger: string | null;
  from: string | null;
  to: string | null;
  code: string | null;
  count: number | null;
  operation_id: string | null;
  workflow_id: string | null;
}
