/** The way between the rooms of Maintenance: a list at the side of a desk, and a way back on a phone. */

import { Icon, type IconName } from "../../parts/Icon";
import { address } from "../../tab/route";
import { ROOM_WORDS, roomAddress, ROOMS, type Room } from "./rooms";

/** Where an unfinished setup or update is shown: a screen of its own, reached from here. */
export type Here = Room | "unfinished";

export function RoomNav({ here }: { here: Here }) {
  return (
    <>
      {here !== "overview" && (
        <a class="room-back" href={address("maintenance")}>
          <Icon name="back" />
          <span>Maintenance</span>
        </a>
      )}
      <nav class="rooms" aria-label="Rooms of maintenance">
        <ul>
          {ROOMS.map((room) => (
            <RoomLink key={room} to={roomAddress(room)} title={ROOM_WORDS[room].title} icon={ROOM_WORDS[room].icon} current={room === here} />
          ))}
          <RoomLink to={address("recovery")} title="Unfinished" icon="recovery" current={here === "unfinished"} />
        </ul>
      </nav>
    </>
  );
}

function RoomLink({ to, title, icon, current }: { to: string; title: string; icon: IconName; current: boolean }) {
  return (
    <li>
      <a href={to} aria-current={current ? "page" : undefined}>
        <Icon name={icon} />
        <span>{title}</span>
      </a>
    </li>
  );
}
