/** A place in a document, and another document in which just this place is different. */

import type { Json, JsonObject } from "../server/config_shapes";

export function parts(pointer: string): string[] {
  return pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function inside(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The place that holds this one. */
export function above(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf("/"));
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands there, undefined where nothing does. */
export function at(document: Json | undefined, pointer: string): Json | undefined {
  return parts(pointer).reduce<Json | undefined>((value, part) => {
    if (Array.isArray(value)) return value[indexIn(value, part)];
    return isObject(value) ? value[part] : undefined;
  }, document);
}

/** The document with another value there; undefined takes the place away. */
export function put(document: Json, pointer: string, value: Json | undefined): Json {
  return placed(document, parts(pointer), value) ?? null;
}

function placed(document: Json | undefined, [part, ...rest]: string[], value: Json | undefined): Json | undefined {
  if (part === undefined) return value;
  if (Array.isArray(document)) {
    const index = indexIn(document, part);
    if (document[index] === undefined) return value === undefined ? document : [...document, ...given(placed(undefined, rest, value))];
    return document.flatMap((item, place) => (place === index ? given(placed(item, rest, value)) : [item]));
  }
  const held = isObject(document) ? document : {};
  const next = placed(held[part], rest, value);
  if (next !== undefined) return { ...held, [part]: next };
  const { [part]: _gone, ...others } = held;
  return others;
}

function given(value: Json | undefined): Json[] {
  return value === undefined ? [] : [value];
}

/** Devices are called by their names where somebody compares; a number is a place. */
function indexIn(list: readonly Json[], part: string): number {
  const named = list.findIndex((item) => isObject(item) && item["name"] === part);
  if (named >= 0) return named;
  return /^\d+$/.test(part) ? Number(part) : list.length;
}

export function same(one: Json | undefined, other: Json | undefined): boolean {
  return stable(one) === stable(other);
}

/** Written so that the order of keys says nothing. */
function stable(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "";
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${stable(value[key])}`).join()}}`;
}
