/** The screens that the first page does not need. */

import { fetched, later } from "../parts/Later";
import { UPGRADE_ROOM } from "./upgrade/room";

export const SCREENS = {
  setup: later(async () => (await import("./GuidedSetup")).GuidedSetup),
  maintenance: later(async () => (await import("./maintenance/Maintenance")).Maintenance),
  recovery: later(async () => (await import("./Recovery")).RecoveryScreen),
  state: later(async () => (await import("./State")).StateScreen),
  switch: later(async () => (await import("../panels/SwitchDialog")).SwitchDialog),
};

/** Have them at hand before anybody asks for them. */
export function fetchTheOthers(): void {
  for (const part of [...Object.values(SCREENS), UPGRADE_ROOM]) void fetched(part).catch(() => undefined);
}
