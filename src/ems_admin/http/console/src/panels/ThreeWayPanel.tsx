/** A draft that meets a config which has changed since: reviewed, live and yours side by side, and one choice a field. */

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { FormSection, Json, Side, ThreeWayField, ThreeWays } from "../server/config_shapes";
import { placeWords, valueWords } from "../editor/form";
import { allOf, proposed, undecided, type Choices } from "../editor/three_ways";
import { Button } from "../parts/Button";

interface ThreeWayPanelProps {
  ways: ThreeWays;
  /** The revision that was reviewed; null when it was reviewed against no config at all. */
  reviewed: string | null;
  /** The form, for the names of the fields. */
  sections?: readonly FormSection[];
  busy?: boolean;
  onDecide: (choices: Choices) => void;
  /** Further ways, beside the one to the review. */
  children?: ComponentChildren;
}

export function ThreeWayPanel({ ways, reviewed, sections = [], busy, onDecide, children }: ThreeWayPanelProps) {
  const fields = useMemo(() => ways.fields.filter((field) => field.standing !== "same"), [ways]);
  const [choices, setChoices] = useState<Choices>(() => proposed(fields));
  // Nothing of what was reviewed: nobody knows it any more, which is not the same as that nothing was there.
  const forgotten = reviewed !== null && !fields.some((field) => field.baseline !== undefined);
  const open = undecided(fields, choices);
  return (
    <section class="three-ways" aria-label="Field by field">
      <div class="row">
        <Button onClick={() => setChoices(allOf(fields, "live"))}>Take live for all</Button>
        <Button onClick={() => setChoices(allOf(fields, "mine"))}>Keep mine for all</Button>
      </div>
      <ul class="three-list">
        {fields.map((field) => (
          <li key={field.pointer}>
            <FieldChoice
              field={field}
              name={placeWords(sections, field.pointer)}
              choice={choices[field.pointer] ?? null}
              forgotten={forgotten}
              onChoose={(side) => setChoices({ ...choices, [field.pointer]: side })}
            />
          </li>
        ))}
      </ul>
      <footer class="step-foot">
        <Button
          kind="primary"
          icon="arrow"
          {...(busy ? { busy } : {})}
          reason={open > 0 ? (open === 1 ? "One field is still to be decided." : `${open} fields are still to be decided.`) : null}
          onClick={() => onDecide(choices)}
        >
          Review the result
        </Button>
        {children}
      </footer>
    </section>
  );
}

interface FieldChoiceProps {
  field: ThreeWayField;
  name: string;
  choice: Side | null;
  forgotten: boolean;
  onChoose: (side: Side) => void;
}

function FieldChoice({ field, name, choice, forgotten, onChoose }: FieldChoiceProps) {
  return (
    <fieldset class={choice === null ? "three three-open" : "three"}>
      <legend>{name}</legend>
      <div class="three-columns">
        <div class="three-cell">
          <span class="three-title">When you began</span>
          {forgotten ? <span class="three-value soft">not known any more</span> : <Value value={field.baseline} />}
        </div>
        <SideCell side="live" title="Live now" act="Take live" value={field.live} field={field} choice={choice} onChoose={onChoose} />
        <SideCell side="mine" title="Yours" act="Keep mine" value={field.mine} field={field} choice={choice} onChoose={onChoose} />
      </div>
    </fieldset>
  );
}

interface SideProps extends Omit<FieldChoiceProps, "name" | "forgotten"> {
  side: Side;
  title: string;
  act: string;
  value: Json | undefined;
}

/** The whole cell is the target of its choice. */
function SideCell({ side, title, act, value, field, choice, onChoose }: SideProps) {
  const chosen = choice === side;
  return (
    <label class={chosen ? "three-cell three-side three-chosen" : "three-cell three-side"}>
      <span class="three-title">{title}</span>
      <Value value={value} />
      <span class="three-act">
        <input type="radio" name={`side-of-${field.pointer}`} checked={chosen} onChange={() => onChoose(side)} />
        {act}
      </span>
    </label>
  );
}

function Value({ value }: { value: Json | undefined }) {
  const none = value === null || value === undefined;
  return <span class={none ? "three-value soft" : "three-value"}>{valueWords(value)}</span>;
}
