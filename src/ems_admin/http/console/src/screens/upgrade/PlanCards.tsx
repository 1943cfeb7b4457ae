/** The cards of a plan: what changes part by part, room and way back, and what becomes of the configuration. */

import type { PartChange, UpgradePlan } from "../../server/upgrade_shapes";
import { DiffView } from "../../parts/DiffView";
import { Fact } from "../../parts/Fact";
import { Icon } from "../../parts/Icon";
import { changeWords, effectWords, partName, sizeWords } from "../../upgrade/words";

export function PartsCard({ plan }: { plan: UpgradePlan }) {
  return (
    <section class="card card-flat" aria-labelledby="plan-parts">
      <h4 id="plan-parts">What changes</h4>
      <ul class="part-changes">
        {plan.parts.map((part) => (
          <li key={`${part.kind} ${part.name}`}>
            <span class="part-name">{partName(part)}</span>
            <Change part={part} parts={plan.parts} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Change({ part, parts }: { part: PartChange; parts: readonly PartChange[] }) {
  // Of the configuration only digests are known, and they say nothing to people.
  if (part.kind === "config" || part.effect === "stays") return <span class="soft">{effectWords(part.effect)}</span>;
  const { from, to } = changeWords(part, parts);
  return (
    <span class="part-change">
      <span>{from}</span>
      <Icon name="arrow" />
      <span class="for-ears">to</span>
      <strong>{to}</strong>
    </span>
  );
}

export function RoomCard({ plan }: { plan: UpgradePlan }) {
  const { needed, free } = plan.space;
  return (
    <section class="card card-flat" aria-labelledby="plan-room">
      <h4 id="plan-room">Room on the disk</h4>
      {free !== null && (
        <meter class="room" min={0} max={free} value={Math.min(needed, free)} aria-label="Part of the free space that is needed">
          {sizeWords(needed)} of {sizeWords(free)}
        </meter>
      )}
      <dl class="facts">
        <Fact name="Needed" value={sizeWords(needed)} />
        <Fact name="Free" value={free === null ? "could not be asked" : sizeWords(free)} />
      </dl>
    </section>
  );
}

export function WayBackCard({ plan }: { plan: UpgradePlan }) {
  return (
    <section class="card card-flat" aria-labelledby="plan-way-back">
      <h4 id="plan-way-back">The way back</h4>
      <dl class="facts">
        <Fact name="Backup" value={plan.options.backup ? "made first" : "none is made"} />
        <Fact name="Known-good build" value={plan.known_good ? plan.known_good.system_tag : "none: no build is proven yet"} />
        <Fact name="If the new EMS is not healthy" value={plan.options.auto_rollback ? "it goes back by itself" : "it waits for you"} />
      </dl>
    </section>
  );
}

/** What would be written, line by line, before it is. */
export function MigrationView({ plan }: { plan: UpgradePlan }) {
  if (!plan.migration.required) {
    return (
      <section class="card card-flat" aria-labelledby="plan-config">
        <h4 id="plan-config">Your configuration</h4>
        <p class="soft">Stays exactly as it is.</p>
      </section>
    );
  }
  return (
    <section class="stack" aria-labelledby="plan-config">
      <h4 id="plan-config">What becomes of your configuration</h4>
      <p class="soft">The new build wants it in another form. The present one is kept in its history.</p>
      <DiffView diff={plan.migration.diff} />
    </section>
  );
}
