/** Maintenance: the years after the first day, one room for each kind of work. */

import { useEffect, useRef } from "preact/hooks";
import { model } from "../../stores/console";
import { never } from "../../setup/steps";
import { ShownLater } from "../../parts/Later";
import { Waiting } from "../../parts/Waiting";
import { detail } from "../../tab/route";
import { UPGRADE_ROOM } from "../upgrade/room";
import { BackupsRoom } from "./BackupsRoom";
import { ConfigRoom } from "./ConfigRoom";
import { ContainersRoom } from "./ContainersRoom";
import { DiagnosticsRoom } from "./DiagnosticsRoom";
import { OverviewRoom } from "./OverviewRoom";
import { RoomNav } from "./RoomNav";
import { roomNamed, type Room } from "./rooms";

export function Maintenance() {
  const here = roomNamed(detail.value);
  const body = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // After a change of room a reader begins at its name.
    if (!first.current) body.current?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    if (!first.current) window.scrollTo({ top: 0 });
    first.current = false;
  }, [here]);
  if (!model.value) return <Waiting what="what runs" />;
  return (
    <div class="stack-wide">
      <header class={here === "overview" ? "page-head page-head-quiet" : "page-head page-head-quiet page-head-inside"}>
        <h1>Maintenance</h1>
      </header>
      <div class="house-plan">
        <RoomNav here={here} />
        <div class="room-body" ref={body}>
          <RoomBody room={here} />
        </div>
      </div>
    </div>
  );
}

function RoomBody({ room }: { room: Room }) {
  switch (room) {
    case "overview":
      return <OverviewRoom />;
    case "config":
      return <ConfigRoom />;
    case "containers":
      return <ContainersRoom />;
    case "diagnostics":
      return <DiagnosticsRoom />;
    case "backups":
      return <BackupsRoom />;
    case "upgrade":
      return <ShownLater part={UPGRADE_ROOM} />;
    default:
      return never(room);
  }
}
