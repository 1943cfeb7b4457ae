/** The form of the config: what a field of the schema is for a person, and what a new item begins with. */

import type { FormField, Json, JsonObject } from "../server/config_shapes";
import { isObject, parts } from "./pointer";

/** What a secret looks like. Sent back as it came, it means: unchanged. */
export const MASK = "••••••";

/** Which address belongs to which connection: the other one is not asked for. */
const ADDRESS_OF: Readonly<Record<string, string>> = { ip: "local_api", url: "local_api", mqtt: "mqtt" };

export function belongs(field: FormField, siblings: Json | undefined): boolean {
  const connection = isObject(siblings) ? siblings["type"] : undefined;
  const needed = ADDRESS_OF[field.key];
  return needed === undefined || typeof connection !== "string" || connection === needed;
}

/** Another connection leaves the address of the old one behind. */
export function withoutForeignAddress(value: Json): Json {
  if (!isObject(value) || typeof value["type"] !== "string") return value;
  const kept = Object.entries(value).filter(([key]) => (ADDRESS_OF[key] ?? value["type"]) === value["type"]);
  return Object.fromEntries(kept);
}

export function beginning(field: FormField, siblings: readonly Json[] = []): Json {
  switch (field.kind) {
    case "group":
      return Object.fromEntries((field.fields ?? []).filter((part) => part.required).map((part) => [part.key, begun(part, siblings)]));
    case "list":
      return field.named ? {} : [];
    case "switch":
      return false;
    case "choice":
      return field.choices?.[0] ?? "";
    case "number":
    case "integer":
      return field.minimum ?? 0;
    case "text":
    case "secret":
      return "";
  }
}

function begun(part: FormField, siblings: readonly Json[]): Json {
  return part.key === "name" ? `Device ${siblings.length + 1}` : beginning(part);
}

/** What an item of a list is called. */
export function titleOf(item: Json, index: number): string {
  const name = isObject(item) ? item["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : `Number ${index + 1}`;
}

/** One line about an item, so that it need not be opened to be recognised. */
export function summaryOf(item: JsonObject): string {
  const mqtt = item["mqtt"];
  const where = [item["ip"], item["host"], isObject(mqtt) ? mqtt["topic"] : null].find((word) => typeof word === "string" && word !== "");
  const power = typeof item["max_power"] === "number" ? `up to ${item["max_power"]} W` : null;
  return [where, power].filter(Boolean).join(" · ");
}

/** A pointer in the words of the form: "System · Deadband". Names of devices stay as they are. */
export function placeWords(sections: readonly FormField[], pointer: string): string {
  const words: string[] = [];
  let fields: readonly FormField[] | null | undefined = sections;
  let held: FormField | undefined;
  for (const part of parts(pointer)) {
    const list: FormField | undefined = held?.kind === "list" ? held : undefined;
    if (list) {
      words.push(/^\d+$/.test(part) ? `number ${Number(part) + 1}` : part);
      held = list.item ?? undefined;
    } else {
      held = fields?.find((field) => field.key === part);
      words.push(held?.label ?? part.replaceAll("_", " "));
    }
    fields = held?.fields ?? held?.item?.fields;
  }
  return words.join(" · ");
}

/** A value as a sentence would say it. */
export function valueWords(value: Json | undefined): string {
  if (value === null || value === undefined) return "not there";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  return Object.entries(value).map(([key, inner]) => `${key.replaceAll("_", " ")}: ${valueWords(inner)}`).join("\n");
}
