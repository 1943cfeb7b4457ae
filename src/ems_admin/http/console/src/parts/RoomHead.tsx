/** The head of a room: its name, what it is for, and what can be done in all of it. */

import type { ComponentChildren } from "preact";

interface RoomHeadProps {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
}

export function RoomHead({ title, lead, actions }: RoomHeadProps) {
  return (
    <header class="room-head">
      <div>
        <h2 tabIndex={-1}>{title}</h2>
        {lead && <p class="soft">{lead}</p>}
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
  );
}
