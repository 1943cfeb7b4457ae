/** The fields of the form, each as its kind wants it, with what the server says about what stands in it. */

import type { FormField, Json } from "../../server/config_shapes";
import { beginning, belongs, chosen, MASK } from "../../editor/form";
import { above, inside, isObject } from "../../editor/pointer";
import { never } from "../../setup/steps";
import { change, findings, valueAt } from "../../stores/editor";
import { Button } from "../../parts/Button";
import { NumberField, SelectField, Switch, TextField } from "../../parts/Field";
import { ListField, type FieldProps } from "./ListField";

/** The fields of one group. What is chosen from or typed comes first, what opens comes after. */
export function Fields({ fields, pointer }: { fields: readonly FormField[]; pointer: string }) {
  const there = fields.filter((field) => belongs(field, valueAt(pointer)));
  const plain = there.filter((field) => field.kind !== "group" && field.kind !== "list" && field.kind !== "switch");
  const switches = there.filter((field) => field.kind === "switch");
  const nested = there.filter((field) => field.kind === "group" || field.kind === "list");
  const drawn = (field: FormField) => <FieldView key={field.key} field={field} pointer={inside(pointer, field.key)} siblings={fields} />;
  return (
    <>
      {plain.length > 0 && <div class="fields">{plain.map(drawn)}</div>}
      {switches.length > 0 && <div class="switches">{switches.map(drawn)}</div>}
      {nested.map(drawn)}
    </>
  );
}

function faultAt(pointer: string): string | null {
  return findings.value.find((finding) => finding.pointer === pointer)?.message ?? null;
}

interface ViewProps extends FieldProps {
  /** The other fields of its group: a choice may bring some and take others away. */
  siblings?: readonly FormField[];
}

export function FieldView({ field, pointer, siblings = [] }: ViewProps) {
  const value = valueAt(pointer);
  const common = { label: labelOf(field, siblings), ...(field.help ? { hint: field.help } : {}), fault: faultAt(pointer) };
  switch (field.kind) {
    case "text":
      return <TextField {...common} value={typeof value === "string" ? value : ""} {...(field.max_length ? { maxLength: field.max_length } : {})} onChange={(next) => change(pointer, kept(field, next))} />;
    case "secret":
      return <Secret field={field} pointer={pointer} />;
    case "number":
    case "integer":
      return (
        <NumberField
          {...common}
          hint={field.help ?? limits(field)}
          value={typeof value === "number" ? value : undefined}
          onChange={(next) => change(pointer, next)}
          {...(field.unit ? { unit: field.unit } : {})}
        />
      );
    case "switch":
      return <Switch label={field.label} hint={field.help} on={value === true} onChange={(on) => change(pointer, on)} />;
    case "choice":
      return <Choice field={field} pointer={pointer} siblings={siblings} />;
    case "group":
      return <Group field={field} pointer={pointer} />;
    case "list":
      return <ListField field={field} pointer={pointer} draw={(fields, place) => <Fields fields={fields} pointer={place} />} />;
    default:
      return never(field.kind);
  }
}

/** Two fields of one name are told apart by the name they have in the file. */
function labelOf(field: FormField, siblings: readonly FormField[]): string {
  const twin = siblings.some((other) => other.key !== field.key && other.label === field.label && belongs(other, undefined));
  const notes = [twin && field.key, !field.required && "optional"].filter(Boolean);
  return notes.length > 0 ? `${field.label} (${notes.join(", ")})` : field.label;
}

/** What need not be there is taken away when it is emptied. */
function kept(field: FormField, text: string): Json | undefined {
  return text === "" && !field.required ? undefined : text;
}

function limits({ minimum, maximum }: FormField): string | undefined {
  if (minimum == null || maximum == null) return undefined;
  return `${minimum} to ${maximum}`;
}

function Secret({ field, pointer }: FieldProps) {
  const value = valueAt(pointer);
  const stored = value === MASK;
  return (
    <TextField
      label={field.label}
      type="password"
      autocomplete="new-password"
      value={stored || typeof value !== "string" ? "" : value}
      {...(stored ? { placeholder: "stored, unchanged" } : {})}
      hint={stored ? "Type only to change it." : field.help}
      fault={faultAt(pointer)}
      onChange={(next) => change(pointer, next === "" && stored ? MASK : kept(field, next))}
    />
  );
}

const CHOICE_WORDS: Readonly<Record<string, string>> = { local_api: "Local network", mqtt: "MQTT" };

function Choice({ field, pointer, siblings = [] }: ViewProps) {
  const value = valueAt(pointer);
  const written = JSON.stringify(value ?? null);
  const options = field.choices.map((choice) => ({ value: JSON.stringify(choice), label: CHOICE_WORDS[String(choice)] ?? String(choice) }));
  const known = options.some((option) => option.value === written);
  return (
    <SelectField
      label={labelOf(field, siblings)}
      {...(field.help ? { hint: field.help } : {})}
      fault={faultAt(pointer)}
      value={written}
      options={known ? options : [{ value: written, label: value === undefined ? "Choose …" : String(value) }, ...options]}
      onChange={(next) => choose(field, pointer, siblings, JSON.parse(next) as Json)}
    />
  );
}

function choose(field: FormField, pointer: string, siblings: readonly FormField[], value: Json): void {
  const group = valueAt(above(pointer));
  if (isObject(group)) change(above(pointer), chosen(siblings, group, field.key, value));
  else change(pointer, value);
}

function Group({ field, pointer }: FieldProps) {
  const there = valueAt(pointer) !== undefined;
  const fault = faultAt(pointer);
  if (!there && !field.required) {
    return (
      <div>
        <Button kind="quiet" icon="plus" onClick={() => change(pointer, beginning(field))}>
          Add {field.label.toLowerCase()}
        </Button>
      </div>
    );
  }
  return (
    <fieldset class="form-group">
      <legend>{field.label}</legend>
      {field.help && <p class="hint">{field.help}</p>}
      {fault && <p class="field-fault">{fault}</p>}
      <Fields fields={field.fields} pointer={pointer} />
    </fieldset>
  );
}
