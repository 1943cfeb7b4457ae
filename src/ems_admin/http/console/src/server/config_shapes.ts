/** What the routes of the config editor answer. */

import type { Diff } from "./setup_shapes";
import type { Refusal } from "./shapes";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** The live config, secrets masked. Both null where there is none yet. */
export interface LiveConfig {
  config: JsonObject | null;
  revision: string | null;
}

export type FieldKind = "text" | "number" | "integer" | "switch" | "choice" | "list" | "group" | "secret";

/** One field of the form that the server has made of the schema. */
export interface FormField {
  key: string;
  /** In the config; inside a list, from its item on. */
  pointer: string;
  label: string;
  kind: FieldKind;
  required: boolean;
  help: string | null;
  unit: string | null;
  minimum: number | null;
  maximum: number | null;
  max_length: number | null;
  choices: readonly Json[];
  /** It is there only while another one of its group has one of these values. */
  only_when: { key: string; values: readonly string[] } | null;
  /** Of a group: what stands in it. */
  fields: readonly FormField[];
  /** Of a list: what each of its items is. */
  item: FormField | null;
  /** Of a list: whether its items bear names that people choose. */
  keyed: boolean;
}

export interface FormSection {
  key: string;
  label: string;
  help: string | null;
  fields: readonly FormField[];
}

export interface ConfigSchema {
  schema: JsonObject;
  form: readonly FormSection[];
}

export interface Finding {
  code: string;
  pointer: string;
  message: string;
}

/** What an edit comes to. */
export interface Revised {
  validation: { ready: boolean; errors: Finding[] };
  changed: boolean;
  diff: Diff;
  /** The live revision that it was worked out against. */
  revision: string | null;
}

/** Whether the EMS that runs goes by the config that was just written. */
export type RuntimeSync = "synced" | "absent" | "unreadable" | "failed";

export interface Saved {
  changed: boolean;
  revision: string | null;
  backup: string | null;
  runtime_sync: RuntimeSync | null;
}

export type FieldStanding = "live_only" | "mine_only" | "same" | "conflict";

/** One field, three times: as it was reviewed, as it is live by now, and as it was typed here. A side without it says nothing. */
export interface ThreeWayField {
  pointer: string;
  baseline?: Json;
  live?: Json;
  mine?: Json;
  standing: FieldStanding;
}

export interface ThreeWays {
  fields: ThreeWayField[];
}

/** A refusal of what is no longer up to date, with what one needs to decide. */
export interface StaleRefusal extends Refusal {
  revision?: string | null;
  diff?: Diff | null;
  three_ways?: ThreeWays | null;
}

/** The ways in which a config is written; null where it was found as other hands had left it. */
export type WritePath = "W1" | "W3" | "W4" | "W5" | "W6" | "W7" | "W8";

export interface KeptRevision {
  revision: string;
  base: string | null;
  path: WritePath | null;
  at: string;
}

export interface MigrationReview {
  needed: boolean;
  changes: { pointer: string; message?: string; before?: Json; after?: Json }[];
  diff?: Diff | null;
  revision: string | null;
  migration_revision: string | null;
}
