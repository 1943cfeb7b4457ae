/** Guided upgrade: to a newer build, with a backup first and a way back. */

import { RoomHead } from "../../parts/RoomHead";

export function UpgradeRoom() {
  return <RoomHead title="Guided upgrade" lead="Bring a newer build here, with a backup first and a way back." />;
}
