/** A button, and beside it the reason when it is off. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon, type IconName } from "./Icon";

export interface ButtonProps {
  children: ComponentChildren;
  onClick?: () => void;
  kind?: "primary" | "plain" | "quiet" | "danger";
  icon?: IconName;
  /** Under way: the button stays where it is and says so. */
  busy?: boolean;
  disabled?: boolean;
  /** Why it is off. Shown under it, and read with it. */
  reason?: string | null;
  /** The page shows the reason elsewhere already; here it is only read aloud. */
  reasonIsShown?: boolean;
  submit?: boolean;
  label?: string;
}

export function Button({ children, onClick, kind = "plain", icon, busy, disabled, reason, reasonIsShown, submit, label }: ButtonProps) {
  const id = useId();
  const off = disabled || Boolean(reason);
  return (
    <span class="button-place">
      <button
        type={submit ? "submit" : "button"}
        class={`button button-${kind}`}
        disabled={off}
        aria-busy={busy ? true : undefined}
        aria-label={label}
        aria-describedby={reason ? id : undefined}
        onClick={() => !busy && onClick?.()}
      >
        {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
        <span>{children}</span>
      </button>
      {reason && (
        <span class={reasonIsShown ? "for-ears" : "button-reason"} id={id}>
          {reason}
        </span>
      )}
    </span>
  );
}
