/** A sentence that has to be seen: calm, but not to be missed. */

import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon";

export type Tone = "good" | "working" | "attention" | "trouble" | "plain";

const SIGNS: Record<Tone, IconName> = {
  good: "tick",
  working: "info",
  attention: "warning",
  trouble: "warning",
  plain: "info",
};

interface NoteProps {
  tone: Tone;
  title?: string;
  children?: ComponentChildren;
  actions?: ComponentChildren;
  /** Read aloud as soon as it appears. */
  urgent?: boolean;
  onDismiss?: () => void;
}

export function Note({ tone, title, children, actions, urgent, onDismiss }: NoteProps) {
  return (
    <section class={`note note-${tone}`} role={urgent ? "alert" : undefined} aria-label={urgent ? undefined : title}>
      <Icon name={SIGNS[tone]} />
      <div class="note-words">
        {title && <p class="note-title">{title}</p>}
        {children}
        {actions && <div class="row">{actions}</div>}
      </div>
      {onDismiss && (
        <button type="button" class="note-close" aria-label="Dismiss" onClick={onDismiss}>
          <Icon name="cross" />
        </button>
      )}
    </section>
  );
}

export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`pill pill-${tone}`}>{children}</span>;
}
