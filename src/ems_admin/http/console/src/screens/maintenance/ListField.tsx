/** A list of the form: devices by their number, brokers by their name. Each item is a card that opens. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { FormField, Json, JsonObject } from "../../server/config_shapes";
import { beginning, summaryOf, titleOf } from "../../editor/form";
import { above, inside, isObject } from "../../editor/pointer";
import { change, findings, valueAt } from "../../stores/editor";
import { Button } from "../../parts/Button";
import { Icon, type IconName } from "../../parts/Icon";

export interface FieldProps {
  field: FormField;
  /** Where it stands: the place of its parent, and its own key. */
  pointer: string;
}

interface ListProps extends FieldProps {
  /** Draws the fields of one item. */
  draw: (fields: readonly FormField[], pointer: string) => ComponentChildren;
}

interface Item {
  /** The last part of its pointer. */
  part: string;
  value: Json;
  title: string;
}

export function ListField({ field, pointer, draw }: ListProps) {
  const held = valueAt(pointer);
  const items = itemsOf(held);
  const fault = findings.value.find((finding) => finding.pointer === pointer)?.message;
  const [fresh, setFresh] = useState<string | null>(null);
  const add = () => {
    const part = field.keyed ? freeName(held) : String(items.length);
    setFresh(part);
    if (field.item) change(inside(pointer, part), beginning(field.item, items.map((item) => item.value)));
  };
  return (
    <section class="form-list" aria-label={field.label}>
      {fault && <p class="field-fault">{fault}</p>}
      {items.length === 0 && <p class="soft">None yet.</p>}
      {items.length > 0 && (
        <ul class="devices">
          {items.map((item) => (
            <li key={item.part}>
              <ItemCard field={field} pointer={inside(pointer, item.part)} draw={draw} item={item} open={item.part === fresh} />
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button icon="plus" onClick={add}>
          Add to {field.label.toLowerCase()}
        </Button>
      </div>
    </section>
  );
}

function itemsOf(held: Json | undefined): Item[] {
  if (Array.isArray(held)) return held.map((value, index) => ({ part: String(index), value, title: titleOf(value, index) }));
  return isObject(held) ? Object.entries(held).map(([part, value]) => ({ part, value, title: part })) : [];
}

function freeName(held: Json | undefined): string {
  const taken = isObject(held) ? Object.keys(held) : [];
  let number = taken.length + 1;
  while (taken.includes(`broker_${number}`)) number += 1;
  return `broker_${number}`;
}

interface ItemProps extends ListProps {
  item: Item;
  open: boolean;
}

function ItemCard({ field, pointer, draw, item, open }: ItemProps) {
  const wrong = findings.value.some((finding) => finding.pointer === pointer || finding.pointer.startsWith(`${pointer}/`));
  const [opened, setOpened] = useState(open);
  if (!field.item || !isObject(item.value)) return field.item ? <>{draw([{ ...field.item, key: item.part, label: item.title }], above(pointer))}</> : null;
  return (
    <article class={wrong ? "device device-wrong" : "device"} aria-label={item.title}>
      <header class="device-head">
        <span class="device-sign">
          <Icon name={signOf(item.value)} size="large" />
        </span>
        <div class="device-name">
          <h4>{item.title}</h4>
          <p class="hint">{summaryOf(item.value)}</p>
          {wrong && <p class="field-fault">Something here is not right yet.</p>}
        </div>
      </header>
      <details class="device-more" open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
        <summary>Details of {item.title}</summary>
        {opened && (
          <div class="stack">
            {draw(field.item.fields, pointer)}
            <button type="button" class="button button-quiet button-remove" onClick={() => change(pointer, undefined)}>
              <Icon name="trash" />
              <span>Remove {item.title}</span>
            </button>
          </div>
        )}
      </details>
    </article>
  );
}

/** A battery has a capacity, a broker a port; everything else that stands in a list is an inverter. */
function signOf(value: JsonObject): IconName {
  if ("battery_kwh" in value || "min_soc" in value) return "battery";
  return "port" in value ? "box" : "inverter";
}
