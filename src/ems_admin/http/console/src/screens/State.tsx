/** State: every machine as a picture with its present state lit, what it did last, and why a button is off. */

import type { Action } from "../server/shapes";
import type { JournalLine, MachinePicture } from "../server/setup_shapes";
import { model } from "../stores/console";
import { draw, drawing, journal, pictures, readJournal, readPictures } from "../stores/pictures";
import { RefusalNote } from "../panels/RefusalNote";
import { Diagram } from "../parts/Diagram";
import { Icon } from "../parts/Icon";
import { Waiting } from "../parts/Waiting";
import { clockTime } from "../parts/time";
import { address, detail } from "../tab/route";
import { useRead } from "./useRead";

export function StateScreen() {
  useRead(readPictures, pictures.value === null);
  // The journal grows when the state does: it is read again with every look at the console.
  useRead(readJournal, true, model.value);
  const known = pictures.value;
  if (!known || !model.value) return <Waiting what="the states" />;
  const shown = known.find((machine) => machine.name === detail.value) ?? known[0];
  return (
    <div class="stack-wide">
      <header class="page-head">
        <h1>State</h1>
        <p class="soft">Everything EMS Admin does is a step in one of these pictures. Lit is where it stands now.</p>
      </header>
      <RefusalNote corner="state" />
      <div class="states">
        <MachineList machines={known} shown={shown?.name ?? ""} />
        {shown && <MachineView machine={shown} />}
      </div>
      <ButtonsAndReasons />
    </div>
  );
}

function stateOf(name: string): string | null {
  return model.value?.machines[name] ?? null;
}

export function words(name: string): string {
  return name.replaceAll("_", " ");
}

function MachineList({ machines, shown }: { machines: readonly MachinePicture[]; shown: string }) {
  return (
    <nav class="machines" aria-label="Machines">
      <ul>
        {machines.map((machine) => (
          <li key={machine.name}>
            <a href={address("state", machine.name)} aria-current={machine.name === shown ? "true" : undefined}>
              <span class="machine-title">{machine.title}</span>
              <span class={stateOf(machine.name) ? "machine-state" : "machine-state machine-none"}>
                {words(stateOf(machine.name) ?? "no record")}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function MachineView({ machine }: { machine: MachinePicture }) {
  useRead(() => draw(machine.name), drawing.value?.name !== machine.name, machine.name);
  const now = stateOf(machine.name);
  const lines = journal.value.filter((line) => line.machine === machine.name);
  return (
    <section class="machine" aria-labelledby="machine-title">
      <header class="machine-head">
        <h2 id="machine-title">{machine.title}</h2>
        <p class="soft">{machine.summary}</p>
        <p>
          Now: <strong>{now ? words(now) : "nothing is recorded"}</strong>
        </p>
      </header>
      {drawing.value?.name === machine.name ? (
        <Diagram svg={drawing.value.svg} lit={now} label={`Diagram of ${machine.title}${now ? `, now ${words(now)}` : ""}`} />
      ) : (
        <div class="bone bone-tall" aria-busy="true" />
      )}
      <LastTransitions lines={lines} />
    </section>
  );
}

const SHOWN_LINES = 12;

function LastTransitions({ lines }: { lines: readonly JournalLine[] }) {
  const last = lines.slice(-SHOWN_LINES).reverse();
  return (
    <section aria-labelledby="last-transitions">
      <h3 id="last-transitions">Last transitions</h3>
      {last.length === 0 ? (
        <p class="soft">The journal has nothing about it yet.</p>
      ) : (
        <ol class="journal">
          {last.map((line) => (
            <li key={line.sequence}>
              <time dateTime={line.time}>{clockTime(line.time)}</time>
              <span>
                {line.trigger && <strong>{words(line.trigger)}</strong>} <Outcome line={line} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Outcome({ line }: { line: JournalLine }) {
  const times = line.count !== null && line.count > 1 ? ` (${line.count} times)` : "";
  if (line.code) {
    return (
      <span class="journal-refused">
        refused: <code>{line.code}</code>
        {times}
      </span>
    );
  }
  return (
    <span>
      {line.from ? words(line.from) : "nothing"} → {line.to ? words(line.to) : "nothing"}
      {times}
    </span>
  );
}

function ButtonsAndReasons() {
  const actions = model.value?.actions ?? [];
  if (actions.length === 0) return null;
  return (
    <section class="card" aria-labelledby="buttons">
      <h2 id="buttons">What can be done, and what not</h2>
      <ul class="reasons">
        {actions
          .filter((action) => action.enabled)
          .map((action) => (
            <li key={action.key} class="reason-on">
              <Icon name="tick" />
              <span>
                <strong>{action.label}</strong>
                <span class="for-ears"> is possible</span>
              </span>
            </li>
          ))}
        {[...heldBack(actions)].map(([reason, labels]) => (
          <li key={reason} class="reason-off">
            <Icon name="lock" />
            <span>
              <strong>{labels.join(" · ")}</strong>
              <span class="for-ears"> {labels.length === 1 ? "is" : "are"} off: </span>
              <span class="hint">{reason}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is off, by the one reason that it has in common: seven times the same sentence would be read by nobody. */
function heldBack(actions: readonly Action[]): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const action of actions) {
    if (action.enabled) continue;
    const reason = action.reason?.message ?? "The server gives no reason.";
    reasons.set(reason, [...(reasons.get(reason) ?? []), action.label]);
  }
  return reasons;
}
