/** The upgrade, which only those who upgrade need to fetch. */

import { later } from "../../parts/Later";

export const UPGRADE_ROOM = later(async () => (await import("./UpgradeRoom")).UpgradeRoom);
