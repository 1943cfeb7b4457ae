/** The rooms of Maintenance: what each is called, and what one does there. */

import type { IconName } from "../../parts/Icon";
import { address } from "../../tab/route";

export const ROOMS = ["overview", "config", "containers", "diagnostics", "backups", "upgrade"] as const;
export type Room = (typeof ROOMS)[number];

export interface RoomWords {
  title: string;
  sentence: string;
  icon: IconName;
}

export const ROOM_WORDS: Record<Room, RoomWords> = {
  overview: { title: "Overview", sentence: "What runs, and since when.", icon: "home" },
  config: { title: "Configuration", sentence: "Change a value, see the difference, save it, or go back to an earlier one.", icon: "sliders" },
  containers: { title: "Services", sentence: "See how each part is doing, read its log, stop it or start it.", icon: "box" },
  diagnostics: { title: "Diagnostics", sentence: "One press, and every part is asked how it is.", icon: "pulse" },
  backups: { title: "Backups", sentence: "Keep a copy of everything, and go back to one.", icon: "safe" },
  upgrade: { title: "Guided upgrade", sentence: "Bring a newer build here, with a backup first and a way back.", icon: "up" },
};

export function roomNamed(name: string | null): Room {
  return ROOMS.find((room) => room === name) ?? "overview";
}

export function roomAddress(room: Room): string {
  return room === "overview" ? address("maintenance") : address("maintenance", room);
}
