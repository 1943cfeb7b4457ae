/** The overview: what runs today, what waits, and the doors to everything else. */

import type { ConsoleModel } from "../../server/shapes";
import { EngineUnreachable } from "../../panels/EngineUnreachable";
import { RefusalNote } from "../../panels/RefusalNote";
import { model } from "../../stores/console";
import { overview, readOverview } from "../../stores/overview";
import { Button } from "../../parts/Button";
import { Fact } from "../../parts/Fact";
import { Icon } from "../../parts/Icon";
import { Note, Pill } from "../../parts/Note";
import { RoomHead } from "../../parts/RoomHead";
import { ServiceList } from "../../parts/ServiceList";
import { clockTime } from "../../parts/time";
import { reachedFrom } from "../../tab/reach";
import { address, go } from "../../tab/route";
import { ownerSentence } from "../owner";
import { useRead } from "../useRead";
import { healthOf, runningSince, runningWords } from "../running";
import { LegacyConfig } from "./LegacyConfig";
import { ROOM_WORDS, roomAddress, ROOMS } from "./rooms";

export function OverviewRoom() {
  const now = model.value;
  useRead(readOverview, true, now?.known_good?.system_tag);
  if (!now) return null;
  const words = runningWords(now.deployment.state, healthOf(now));
  return (
    <>
      <RoomHead title="Overview" actions={<Pill tone={words.tone}>{words.word}</Pill>} />
      <EngineUnreachable engine={now.engine} />
      <LegacyConfig />
      <NextUpdate />
      <Doors />
      <div class="halves">
        <EmsFacts now={now} />
        <AdminFacts now={now} />
      </div>
      {now.deployment.services.length > 0 && <ServiceList services={now.deployment.services} />}
      <Unfinished now={now} />
      <RefusalNote corner="maintenance" />
    </>
  );
}

function NextUpdate() {
  const next = overview.value?.next_update;
  if (!next) return null;
  return (
    <Note tone="plain" title={`${next.system_tag} can be installed`} actions={<Button onClick={() => go("maintenance", "upgrade")}>Look at the upgrade</Button>}>
      {next.notes && <p>{next.notes}</p>}
    </Note>
  );
}

function EmsFacts({ now }: { now: ConsoleModel }) {
  const installed = overview.value?.installed ?? null;
  const { dashboard_url: dashboard, dashboard_reachable: answers } = now.deployment;
  return (
    <section class="card card-flat" aria-labelledby="facts-ems">
      <h3 id="facts-ems">EMS</h3>
      <dl class="facts">
        <Fact name="System Build" value={installed?.system_tag ?? now.known_good?.system_tag ?? "none yet"} />
        <Fact name="Running since" value={now.deployment.state === "running" ? clockTime(runningSince(now)) : "not running"} />
        <Fact name="Last proven healthy" value={now.known_good ? clockTime(now.known_good.healthcheck_at) : "never"} />
        <Fact name="Dashboard" value={dashboard ? `${reachedFrom(dashboard)}${answers === false ? ", does not answer" : ""}` : "none"} />
      </dl>
    </section>
  );
}

function AdminFacts({ now }: { now: ConsoleModel }) {
  return (
    <section class="card card-flat" aria-labelledby="facts-admin">
      <h3 id="facts-admin">EMS Admin</h3>
      <dl class="facts">
        <Fact name="System Build" value={now.instance.system_tag ?? "unknown"} />
        <Fact name="Build" value={now.instance.build_id ?? "unknown"} />
        <Fact name="Running since" value={clockTime(now.instance.started_at)} />
        <Fact name="Runs on" value={now.engine.kind === "native" ? "this machine" : "Docker"} />
      </dl>
    </section>
  );
}

function Doors() {
  return (
    <ul class="room-doors">
      {ROOMS.filter((room) => room !== "overview").map((room) => (
        <li key={room}>
          <a class="room-door" href={roomAddress(room)}>
            <span class="device-sign">
              <Icon name={ROOM_WORDS[room].icon} />
            </span>
            <span>
              <strong>{ROOM_WORDS[room].title}</strong>
              <span class="soft">{ROOM_WORDS[room].sentence}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Quiet while everything is at its end. */
function Unfinished({ now }: { now: ConsoleModel }) {
  const { state, owner } = now.lifecycle;
  return (
    <section class="card card-flat" aria-labelledby="unfinished">
      <h3 id="unfinished">Unfinished setup or update</h3>
      <p class="soft">{state === "idle" && !now.lifecycle.recoverable ? "Nothing is unfinished." : ownerSentence(state, owner)}</p>
      <p>
        <a href={address("recovery")}>{state === "idle" ? "Open recovery" : "See what can be done about it"}</a>
      </p>
    </section>
  );
}
