/** A draft that meets a config which has changed: which side of each field stays. What comes of it, the server works out. */

import type { FieldStanding, Side, ThreeWayField } from "../server/config_shapes";
import { never } from "../setup/steps";

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
