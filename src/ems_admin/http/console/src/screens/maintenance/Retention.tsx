/** How many backups are kept. */

import { useEffect, useState } from "preact/hooks";
import { isBusy } from "../../stores/acts";
import { backups, keepNewest } from "../../stores/backups";
import { Button } from "../../parts/Button";
import { NumberField, Switch } from "../../parts/Field";

const SUGGESTED = 10;

export function Retention() {
  const list = backups.value;
  const stored = list?.keep ?? null;
  const [limited, setLimited] = useState(stored !== null);
  const [keep, setKeep] = useState<number | undefined>(stored ?? SUGGESTED);
  useEffect(() => {
    setLimited(stored !== null);
    setKeep(stored ?? SUGGESTED);
  }, [stored]);
  if (!list?.backups.length) return null;
  const wanted = limited ? (keep ?? null) : null;
  const whole = !limited || (keep !== undefined && Number.isInteger(keep) && keep > 0);
  return (
    <section class="card card-flat retention" aria-labelledby="retention">
      <h3 id="retention">How many to keep</h3>
      {!list.keep_known && <p class="soft">What was chosen cannot be read, so none is removed by itself until you choose again.</p>}
      <Switch
        label="Keep only the newest"
        hint="When a new one is made, the oldest beyond that number go. One that an unfinished upgrade needs stays."
        on={limited}
        onChange={setLimited}
      />
      {limited && <NumberField label="How many" unit="backups" value={keep} onChange={setKeep} fault={whole ? null : "A whole number, 1 or more."} />}
      {(wanted !== stored || !list.keep_known) && (
        <div>
          <Button disabled={!whole} busy={isBusy("retention")} onClick={() => void keepNewest(wanted)}>
            Remember this
          </Button>
        </div>
      )}
    </section>
  );
}
