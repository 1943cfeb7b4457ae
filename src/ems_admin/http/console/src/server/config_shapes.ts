/** What the routes of the config editor answer. */

import type { Diff, Draft } from "./setup_shapes";
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
  /** The pointers of what only a person can decide. */
  conflicts: string[];
}

export type Side = "live" | "mine";

/** An edit that came too late, brought up to date by what was decided about each field. */
export interface MergedEdit {
  draft: JsonObject;
  /** The live revision that it is made from now. */
  revision: string | null;
  undecided: string[];
  three_ways: ThreeWays;
}

/** The same for the draft of a setup; what a draft has no word for is left out, and comes from its build. */
export interface MergedDraft {
  draft: Draft;
  left_out: string[];
  config_revision: string | null;
  undecided: string[];
  three_ways: ThreeWays;
}

/** A refusal of what is no longer up to date, with what one needs to decide. */
export interface StaleRefusal extends Refusal {
  revision?: string | null;
  /** The revision that was reviewed. */
  baseline_revision?: string | null;
  diff?: Diff | null;
  three_ways?: ThreeWays | null;
}

/** The ways in which a config is written; null where it was found as other hands had left it. */
export type WritePath = "W1" | "W3" | "W4" | "W5" | "W6" | "W7" | "W8";

/** One change of the config. The same revision may have been live more than once. */
export interface KeptRevision {
  sequence: number;
  path: WritePath | null;
  revision: string;
  base: string | null;
  kept_at: string;
}

export interface History {
  /** The newest first. */
  revisions: KeptRevision[];
  live_revision: string | null;
  damaged: string[];
}

/** What a revision changed; null where what it replaced is not kept. */
export interface RevisionView {
  revision: string;
  diff: Diff | null;
  /** Null while nobody can read what is live. */
  to_live: Diff | null;
}

export interface MigrationReview {
  needed: boolean;
  changes: { pointer: string; target: string; broker_ref: string; new_broker: boolean; password_moved: boolean }[];
  /** What stands in its way. */
  validation: { ready: boolean; errors: Finding[] };
  diff: Diff | null;
  revision: string | null;
  migration_revision: string | null;
}
