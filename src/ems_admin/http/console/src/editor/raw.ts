/** The configuration as text: the same document, for those who would rather read it. */

import type { JsonObject } from "../server/config_shapes";
import { isObject } from "./pointer";

export function written(config: JsonObject): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

export type Read = { config: JsonObject; fault: null } | { config: null; fault: string };

export function readText(text: string): Read {
  try {
    const value = JSON.parse(text) as unknown as JsonObject;
    if (isObject(value)) return { config: value, fault: null };
    return { config: null, fault: "It has to be one object, in curly brackets." };
  } catch (error) {
    return { config: null, fault: faultIn(text, error) };
  }
}

/** Browsers count characters; people count lines. */
function faultIn(text: string, error: unknown): string {
  const place = /position (\d+)/.exec(String(error));
  const line = /line (\d+)/.exec(String(error))?.[1] ?? (place ? String(text.slice(0, Number(place[1])).split("\n").length) : null);
  return line ? `This is not valid JSON yet; look at line ${line}.` : "This is not valid JSON yet.";
}
