/** Fields with a label that stays, a hint where one helps, and nothing that hides what was typed. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Common {
  label: string;
  hint?: ComponentChildren;
  required?: boolean;
  /** What the server says is wrong with what stands here. */
  fault?: string | null;
}

function Fault({ id, fault }: { id: string; fault: string | null | undefined }) {
  if (!fault) return null;
  return (
    <p class="field-fault" id={`${id}-fault`}>
      {fault}
    </p>
  );
}

/** The ids of everything that is read with a field. */
function describedBy(id: string, { hint, fault }: Pick<Common, "hint" | "fault">): string | undefined {
  return [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ") || undefined;
}

interface TextProps extends Common {
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "password";
  autocomplete?: string;
  inputMode?: "text" | "decimal" | "numeric";
  unit?: string;
  placeholder?: string;
  maxLength?: number;
  focus?: boolean;
}

export function TextField(props: TextProps) {
  const id = useId();
  const { label, hint, value, onChange, type = "text", autocomplete = "off", inputMode, unit, placeholder, required } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-box">
        <input
          id={id}
          {...(type === "password" ? { type } : { type })}
          value={value}
          required={required}
          autocomplete={autocomplete}
          autocapitalize="off"
          spellcheck={false}
          inputMode={inputMode}
          placeholder={placeholder}
          maxLength={props.maxLength}
          aria-describedby={describedBy(id, props)}
          aria-invalid={props.fault ? true : undefined}
          ref={props.focus ? focusOnce : null}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {unit && <span class="field-unit">{unit}</span>}
      </div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Fault id={id} fault={props.fault} />
    </div>
  );
}

/** A callback of one identity: the field takes the focus when it appears and not again while it is typed in. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}

interface NumberProps extends Common {
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  unit?: string;
}

export function NumberField({ label, hint, value, onChange, unit, fault }: NumberProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="decimal"
      value={value === undefined ? "" : String(value)}
      onChange={(text) => onChange(numberIn(text))}
      {...(unit ? { unit } : {})}
      {...(fault ? { fault } : {})}
    />
  );
}

function numberIn(text: string): number | undefined {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() === "" || Number.isNaN(value) ? undefined : value;
}

interface SelectProps extends Common {
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

export function SelectField({ label, hint, value, options, onChange, fault }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-box field-select">
        <select
          id={id}
          value={value}
          aria-describedby={describedBy(id, { hint, fault: fault ?? null })}
          aria-invalid={fault ? true : undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Fault id={id} fault={fault} />
    </div>
  );
}

interface SwitchProps extends Common {
  on: boolean;
  onChange: (on: boolean) => void;
  ariaLabel?: string;
}

export function Switch({ label, hint, on, onChange, ariaLabel }: SwitchProps) {
  const id = useId();
  return (
    <div class="switch">
      <div class="switch-words">
        <label for={id}>{label}</label>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={on}
        aria-label={ariaLabel}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}
