/** Maintenance: what runs today, and plainly what this console cannot do yet. */

import type { ConsoleModel } from "../server/shapes";
import { EngineUnreachable } from "../panels/EngineUnreachable";
import { model } from "../stores/console";
import { Pill } from "../parts/Note";
import { ServiceList } from "../parts/ServiceList";
import { clockTime } from "../parts/time";
import { Waiting } from "../parts/Waiting";
import { reachedFrom } from "../tab/reach";
import { address } from "../tab/route";
import { ownerSentence } from "./owner";
import { healthOf, runningWords } from "./running";

export function Maintenance() {
  const now = model.value;
  if (!now) return <Waiting what="what runs" />;
  const words = runningWords(now.deployment.state, healthOf(now));
  return (
    <div class="stack-wide">
      <header class="page-head">
        <h1>Maintenance</h1>
        <Pill tone={words.tone}>{words.word}</Pill>
      </header>
      <EngineUnreachable engine={now.engine} />
      <div class="halves">
        <Facts title="EMS" facts={emsFacts(now)} />
        <Facts title="EMS Admin" facts={adminFacts(now)} />
      </div>
      {now.deployment.services.length > 0 ? (
        <ServiceList services={now.deployment.services} />
      ) : (
        <section class="card card-flat">
          <h2>No services</h2>
          <p class="soft">Nothing has been started on this machine yet. Guided setup gets you there.</p>
        </section>
      )}
      <Unfinished now={now} />
      <ComesLater />
    </div>
  );
}

type Fact = readonly [name: string, value: string];

function emsFacts(now: ConsoleModel): Fact[] {
  return [
    ["State", runningWords(now.deployment.state, healthOf(now)).word],
    ["System Build", now.known_good?.system_tag ?? "none proven yet"],
    ["Last proven healthy", now.known_good ? clockTime(now.known_good.healthcheck_at) : "never"],
    ["Dashboard", dashboardWords(now)],
  ];
}

function dashboardWords(now: ConsoleModel): string {
  const { dashboard_url: address, dashboard_reachable: answers } = now.deployment;
  if (!address) return "none";
  return answers === false ? `${reachedFrom(address)}, does not answer` : reachedFrom(address);
}

function adminFacts(now: ConsoleModel): Fact[] {
  return [
    ["System Build", now.instance.system_tag ?? "unknown"],
    ["Build", now.instance.build_id ?? "unknown"],
    ["Source revision", now.instance.revision?.slice(0, 12) ?? "unknown"],
    ["Running since", clockTime(now.instance.started_at)],
    ["Engine", `${now.engine.kind}, ${now.engine.state}`],
  ];
}

function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <section class="card card-flat">
      <h2>{title}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Quiet while everything is at its end. */
function Unfinished({ now }: { now: ConsoleModel }) {
  const { state, owner } = now.lifecycle;
  return (
    <section class="card card-flat" aria-labelledby="unfinished">
      <h2 id="unfinished">Unfinished setup or update</h2>
      <p class="soft">{state === "idle" && !now.lifecycle.recoverable ? "Nothing is unfinished." : ownerSentence(state, owner)}</p>
      <p>
        <a href={address("recovery")}>{state === "idle" ? "Open recovery" : "See what can be done about it"}</a>
      </p>
    </section>
  );
}

const LATER: readonly { name: string; words: string }[] = [
  { name: "Configuration editor", words: "change a value, see the difference, apply it, go back" },
  { name: "Guided upgrade", words: "to a newer build, with a backup first and a way back" },
  { name: "Backups", words: "create, look into, restore" },
  { name: "Containers and logs", words: "look, restart" },
  { name: "Diagnostics", words: "one press, and every part is asked how it is" },
];

function ComesLater() {
  return (
    <section class="card card-sunken" aria-labelledby="later">
      <h2 id="later">Not in this version</h2>
      <p class="soft">These are planned for Maintenance and are not there yet. Until then, Guided setup and the command line do the work.</p>
      <ul class="facts">
        {LATER.map((item) => (
          <li key={item.name}>
            <span>{item.name}</span>
            <span>{item.words}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
