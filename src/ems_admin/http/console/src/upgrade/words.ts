/** The words of an upgrade, as people at home say them. What a newer server may add is shown under its own name. */

import type { Build } from "../server/setup_shapes";
import type { PartChange, PartEffect, PartKind, PartVersion } from "../server/upgrade_shapes";
import type { UpgradeOption } from "../server/upgrade_view";
import { never } from "../setup/steps";

export const OPTION_WORDS: Record<UpgradeOption, { label: string; hint: string }> = {
  backup: { label: "Make a backup first", hint: "A copy of the configuration, kept on this machine." },
  auto_rollback: { label: "Go back by itself", hint: "If the new EMS is not healthy, the one that runs today is started again." },
  config_check: { label: "Check the configuration", hint: "Against the rules of the new build, before anything is stopped." },
  config_add_keys: { label: "Add new settings", hint: "Settings that the new build brings get its own values; yours stay as they are." },
  pull_image: { label: "Fetch the programs", hint: "While the EMS of today still runs, so that the pause is short." },
  recreate: { label: "Start the new EMS", hint: "It takes the place of the one that runs." },
  diagnostics: { label: "Run diagnostics afterwards", hint: "Every part is asked how it is." },
};

interface Named {
  kind: PartKind;
  name: string;
}

export function partName({ kind, name }: Named): string {
  switch (kind) {
    case "admin":
      return "EMS Admin";
    case "ems":
      return "EMS";
    case "config":
      return "Configuration";
    case "service":
      return `Service “${name}”`;
    default:
      return never(kind);
  }
}

export function effectWords(effect: PartEffect): string {
  switch (effect) {
    case "stays":
      return "stays as it is";
    case "replaced":
      return "is replaced";
    case "added":
      return "is added";
    case "removed":
      return "goes";
    case "unknown":
      return "could not be asked";
    default:
      return never(effect);
  }
}

type Ends = Pick<PartChange, "before" | "after">;

/** From what to what a part goes, both by the same kind of name: their tags, their builds, or the first of their digests. */
export function changeWords(part: Ends, parts: readonly Ends[]): { from: string; to: string } {
  const before = withTag(part.before, parts);
  const after = withTag(part.after, parts);
  const known = [before, after].filter((one) => one !== null);
  const name = NAMES.find((word) => known.every((one) => one[word] !== null));
  const words = (one: PartVersion | null) => (one === null ? "nothing" : name ? (one[name] ?? "").slice(0, LONGEST) : "unknown");
  return { from: words(before), to: words(after) };
}

/** A service is seen with its build; the tag of that build stands beside another part. */
function withTag(version: PartVersion | null, parts: readonly Ends[]): PartVersion | null {
  if (version === null || version.system_tag !== null) return version;
  const same = parts.flatMap(({ before, after }) => [before, after]).find((one) => one?.build_id === version.build_id && one?.system_tag);
  return version.build_id === null ? version : { ...version, system_tag: same?.system_tag ?? null };
}

const NAMES = ["system_tag", "build_id", "digest"] as const;
const LONGEST = 24;

const MEBIBYTE = 1024 * 1024;

export function sizeWords(bytes: number): string {
  if (bytes < MEBIBYTE) return bytes === 0 ? "none" : "less than 1 MiB";
  const mebibytes = bytes / MEBIBYTE;
  return mebibytes < 1024 ? `${Math.ceil(mebibytes)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}

/** Why a build of the list cannot be the target. */
export function whyNot(reason: Build["reason"], tag: string, installed: string | null): string {
  if (tag === installed) return "This is the build that is installed.";
  const code = reason !== null && typeof reason === "object" ? reason.code : reason;
  if (code === "upgrade_not_forward") return "It is not newer than what is installed. Going back is not an upgrade.";
  return "It cannot be the target of an upgrade.";
}

/** What an interruption means for whoever is at home. */
export function interruptedWords(part: Named): string {
  switch (part.kind) {
    case "admin":
      return "EMS Admin restarts as the new one. This page waits for it and goes on by itself.";
    case "service":
    case "ems":
      return `${partName(part)} stops and starts again as the new one. Nothing is controlled in the meantime.`;
    case "config":
      return "The configuration is written anew.";
    default:
      return never(part.kind);
  }
}
