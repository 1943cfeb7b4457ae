/** What a plan says otherwise than the one before it, in the words of the screen. */

import type { Migration, PartChange, UpgradePlan } from "../server/upgrade_shapes";
import { changeWords, effectWords, partName, sizeWords } from "./words";

export interface Difference {
  what: string;
  before: string;
  after: string;
}

export function differencesOf(before: UpgradePlan, after: UpgradePlan): readonly Difference[] {
  const told = [
    ...partsBetween(before.parts, after.parts),
    between("Interrupted", listed(before), listed(after)),
    between("Space needed", sizeWords(before.space.needed), sizeWords(after.space.needed)),
    between("Way back", before.known_good?.system_tag ?? "none", after.known_good?.system_tag ?? "none"),
    between("Configuration", migrationWords(before.migration), migrationWords(after.migration)),
    between("Against it", String(before.validation.errors.length), String(after.validation.errors.length)),
  ].filter((one) => one !== null);
  if (told.length > 0) return told;
  return before.live_revision === after.live_revision ? [UNSEEN] : [SAVED];
}

/** A fingerprint covers more than a screen shows. */
const SAVED: Difference = { what: "Live configuration", before: "as it was when you planned", after: "changed since; what is done with it is the same" };
const UNSEEN: Difference = { what: "Details of the build", before: "as they were verified", after: "verified anew; the steps are the same" };

function partsBetween(before: readonly PartChange[], after: readonly PartChange[]): (Difference | null)[] {
  const names = [...new Set([...before, ...after].map(partName))];
  return names.map((name) => between(name, partWords(before, name), partWords(after, name)));
}

function partWords(parts: readonly PartChange[], name: string): string {
  const found = parts.find((part) => partName(part) === name);
  if (!found) return "not touched";
  return found.kind === "config" ? effectWords(found.effect) : Object.values(changeWords(found, parts)).join(" → ");
}

function between(what: string, before: string, after: string): Difference | null {
  return before === after ? null : { what, before, after };
}

function listed(plan: UpgradePlan): string {
  return plan.interruptions.map(partName).join(", ") || "nothing";
}

function migrationWords(migration: Migration): string {
  if (!migration.required) return "stays as it is";
  const { added, changed, removed } = migration.diff;
  return `${added.length} added, ${changed.length} changed, ${removed.length} removed`;
}
