/** One System Build of a list, to be chosen; one that cannot be taken says why. */

import type { ComponentChildren } from "preact";
import type { Build } from "../server/setup_shapes";
import { Pill } from "./Note";
import { day } from "./time";

interface BuildCardProps {
  /** The name of the list: one of its builds is chosen. */
  list: string;
  build: Build;
  chosen: boolean;
  /** Nothing can be chosen at this moment. */
  waits: boolean;
  /** What stands against it; null where it can be taken. */
  reason: string | null;
  onChoose: () => void;
  children?: ComponentChildren;
}

export function BuildCard({ list, build, chosen, waits, reason, onChoose, children }: BuildCardProps) {
  const id = `${list}-${build.system_tag}`;
  const open = reason === null;
  return (
    <div class={`build ${open ? "" : "build-off"} ${chosen ? "build-chosen" : ""}`}>
      <input type="radio" name={list} id={id} checked={chosen} disabled={!open || waits} aria-describedby={`${id}-words`} onChange={onChoose} />
      <div>
        <label for={id}>
          <span class="build-tag">{build.system_tag}</span>
          {build.recommended && <Pill tone="good">Recommended</Pill>}
          {build.channel !== "stable" && <Pill tone="plain">{CHANNELS[build.channel] ?? build.channel}</Pill>}
        </label>
        <div id={`${id}-words`} class="build-words">
          <p class="hint">
            Released {day(build.released_at)} · build {build.build_id}
          </p>
          {build.notes && <p>{build.notes}</p>}
          {children}
          {!open && <p class="build-reason">{reason}</p>}
        </div>
      </div>
    </div>
  );
}

const CHANNELS: Readonly<Record<string, string>> = { rc: "Release candidate", development: "Development", local: "Made on this machine" };
