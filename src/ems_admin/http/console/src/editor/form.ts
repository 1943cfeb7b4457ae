/** The form of the config: what a field of the schema is for a person, and what a new item begins with. */

import type { FormField, FormSection, Json, JsonObject } from "../server/config_shapes";
import { at, inside, isObject, parts } from "./pointer";

/** What a secret looks like. Sent back as it came, it means: unchanged. */
export const MASK = "••••••";

/** Whether a field is asked for beside what its group says. */
export function belongs({ only_when: when }: FormField, group: Json | undefined): boolean {
  const said = when && isObject(group) ? group[when.key] : undefined;
  return typeof said !== "string" || when === null || when.values.includes(said);
}

/** The group with another choice in it: what does not belong to that choice goes, and what it alone has is begun. */
export function chosen(fields: readonly FormField[], group: JsonObject, key: string, value: Json): JsonObject {
  const next = { ...group, [key]: value };
  return fields.reduce<JsonObject>((held, field) => {
    if (field.only_when?.key !== key) return held;
    const { [field.key]: there, ...others } = held;
    if (!belongs(field, next)) return others;
    return there === undefined && field.kind === "group" ? { ...held, [field.key]: beginning(field) } : held;
  }, next);
}

export function beginning(field: FormField, siblings: readonly Json[] = []): Json {
  switch (field.kind) {
    case "group":
      return Object.fromEntries(field.fields.filter((part) => part.required).map((part) => [part.key, begun(part, siblings)]));
    case "list":
      return field.keyed ? {} : [];
    case "switch":
      return false;
    case "choice":
      return field.choices[0] ?? "";
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
  return typeof name === "string" && name !== "" ? name : `number ${index + 1}`;
}

/** One line about an item, so that it need not be opened to be recognised. */
export function summaryOf(item: JsonObject): string {
  const mqtt = item["mqtt"];
  const where = [item["ip"], item["host"], isObject(mqtt) ? mqtt["topic"] : null].find((word) => typeof word === "string" && word !== "");
  const power = typeof item["max_power"] === "number" ? `up to ${item["max_power"]} W` : null;
  return [where, power].filter(Boolean).join(" · ");
}

/** A pointer in the words of the form: "System · Deadband". An item of a list is called by its name, as far as the document knows it. */
export function placeWords(sections: readonly FormSection[], pointer: string, document?: Json): string {
  const words: string[] = [];
  let fields: readonly FormField[] = sections.map(asField);
  let list: FormField | null = null;
  let item = "";
  let before = "";
  for (const part of parts(pointer)) {
    item = inside(item, part);
    const held: FormField | null = list ? list.item : (fields.find((field) => field.key === part) ?? null);
    if (list) words.push(/^\d+$/.test(part) ? nameOf(at(document, item), Number(part)) : part);
    else words.push(held?.label ?? (NAMED.has(before) ? part : part.replaceAll("_", " ")));
    before = part;
    list = held?.kind === "list" ? held : null;
    fields = held?.fields ?? [];
  }
  return words.join(" · ");
}

/** What stands in these bears a name that people chose, also where no form is at hand to say so. */
const NAMED: ReadonlySet<string> = new Set(["devices", "brokers"]);

function nameOf(item: Json | undefined, index: number): string {
  return item === undefined ? `number ${index + 1}` : titleOf(item, index);
}

/** A section as what it stands for: a group of its fields, or the one field that it is. */
function asField(section: FormSection): FormField {
  const [only] = section.fields;
  if (only && section.fields.length === 1 && only.key === section.key) return only;
  return { ...PLAIN, key: section.key, pointer: `/${section.key}`, label: section.label, fields: section.fields };
}

/** A field of which nothing is said. */
export const PLAIN: FormField = {
  key: "",
  pointer: "",
  label: "",
  kind: "group",
  required: true,
  help: null,
  unit: null,
  minimum: null,
  maximum: null,
  max_length: null,
  choices: [],
  only_when: null,
  fields: [],
  item: null,
  keyed: false,
};

/** A value as a sentence would say it. */
export function valueWords(value: Json | undefined): string {
  if (value === null || value === undefined) return "not there";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  return Object.entries(value).map(([key, inner]) => `${key.replaceAll("_", " ")}: ${valueWords(inner)}`).join("\n");
}
