/** A draft that meets a config which has changed since: reviewed, live and yours side by side, and one choice a field. */

import { useMemo, useState } from "preact/hooks";
import type { FormField, Json, StaleRefusal, ThreeWayField } from "../server/config_shapes";
import { placeWords, valueWords } from "../editor/form";
import { allOf, proposed, undecided, type Choices, type Side } from "../editor/three_ways";
import { Button } from "../parts/Button";
import { DiffView } from "../parts/DiffView";
import { Note } from "../parts/Note";

interface ThreeWayPanelProps {
  refusal: StaleRefusal;
  /** The form, for the names of the fields. */
  sections: readonly FormField[];
  busy: boolean;
  onDecide: (choices: Choices) => void;
  onDiscard: () => void;
}

export function ThreeWayPanel({ refusal, sections, busy, onDecide, onDiscard }: ThreeWayPanelProps) {
  const fields = useMemo(() => (refusal.three_ways?.fields ?? []).filter((field) => field.standing !== "same"), [refusal]);
  const [choices, setChoices] = useState<Choices>(() => proposed(fields));
  const open = undecided(fields, choices);
  return (
    <section class="three-ways" aria-labelledby="three-ways">
      <Note tone="attention" urgent>
        <p class="note-title" id="three-ways">
          The configuration has changed
        </p>
        <p>{refusal.message}</p>
        <p>Nothing was written, and nothing you typed is lost. Decide what stays; you see the result before it is saved.</p>
      </Note>
      <div class="row">
        <Button onClick={() => setChoices(allOf(fields, "live"))}>Take live for all</Button>
        <Button onClick={() => setChoices(allOf(fields, "mine"))}>Keep mine for all</Button>
      </div>
      {fields.length === 0 && refusal.diff && <DiffView diff={refusal.diff} />}
      <ul class="three-list">
        {fields.map((field) => (
          <li key={field.pointer}>
            <FieldChoice
              field={field}
              name={placeWords(sections, field.pointer)}
              choice={choices[field.pointer] ?? null}
              onChoose={(side) => setChoices({ ...choices, [field.pointer]: side })}
            />
          </li>
        ))}
      </ul>
      <footer class="step-foot">
        <Button
          kind="primary"
          icon="arrow"
          busy={busy}
          reason={open > 0 ? (open === 1 ? "One field is still to be decided." : `${open} fields are still to be decided.`) : null}
          onClick={() => onDecide(choices)}
        >
          Review the result
        </Button>
        <Button onClick={onDiscard}>Discard my changes</Button>
      </footer>
    </section>
  );
}

interface FieldChoiceProps {
  field: ThreeWayField;
  name: string;
  choice: Side | null;
  onChoose: (side: Side) => void;
}

function FieldChoice({ field, name, choice, onChoose }: FieldChoiceProps) {
  return (
    <fieldset class={choice === null ? "three three-open" : "three"}>
      <legend>{name}</legend>
      <div class="three-columns">
        <div class="three-cell">
          <span class="three-title">When you began</span>
          <Value value={field.baseline} />
        </div>
        <Side side="live" title="Live now" act="Take live" value={field.live} field={field} choice={choice} onChoose={onChoose} />
        <Side side="mine" title="Yours" act="Keep mine" value={field.mine} field={field} choice={choice} onChoose={onChoose} />
      </div>
    </fieldset>
  );
}

interface SideProps extends Omit<FieldChoiceProps, "name"> {
  side: Side;
  title: string;
  act: string;
  value: Json;
}

/** The whole cell is the target of its choice. */
function Side({ side, title, act, value, field, choice, onChoose }: SideProps) {
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

function Value({ value }: { value: Json }) {
  return <span class={value === null ? "three-value soft" : "three-value"}>{valueWords(value)}</span>;
}
