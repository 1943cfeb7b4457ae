/** A draft that meets a config which has changed: which value of each field stays, and the draft that comes of it. */

import type { FieldStanding, Json, ThreeWayField } from "../server/config_shapes";
import { never } from "../setup/steps";
import { at, put, same } from "./pointer";

export type Side = "live" | "mine";
export type Choices = Readonly<Record<string, Side>>;

/** What nobody has to be asked: a field that only one side has changed keeps that change. */
export function proposed(fields: readonly ThreeWayField[]): Choices {
  return Object.fromEntries(fields.flatMap(({ pointer, standing }) => {
    const side = sideOf(standing);
    return side ? [[pointer, side]] : [];
  }));
}

function sideOf(standing: FieldStanding): Side | null {
  switch (standing) {
    case "live_only":
      return "live";
    case "mine_only":
    case "same":
      return "mine";
    case "conflict":
      return null;
    default:
      return never(standing);
  }
}

export function allOf(fields: readonly ThreeWayField[], side: Side): Choices {
  return Object.fromEntries(fields.map(({ pointer }) => [pointer, side]));
}

export function undecided(fields: readonly ThreeWayField[], choices: Choices): number {
  return fields.filter(({ pointer }) => choices[pointer] === undefined).length;
}

/** The draft with the live value wherever that was chosen. What was typed stays everywhere else. */
export function resolved(mine: Json, fields: readonly ThreeWayField[], choices: Choices): Json {
  return fields.reduce<Json>((draft, field) => {
    if (choices[field.pointer] !== "live" || same(at(draft, field.pointer), field.live)) return draft;
    return put(draft, field.pointer, field.live ?? undefined);
  }, mine);
}
